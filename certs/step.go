package certs

import "log/slog"

// Step is what [Keyring.Advance] has done. Its text is used as the reason of an Event.
type Step string

const (
	// StepNone: no step is due.
	StepNone Step = ""
	// StepCreated: made the first CA.
	StepCreated Step = "CACreated"
	// StepPublished: added a next CA to the bundle.
	StepPublished Step = "CAPublished"
	// StepInjected: every bundle holds the next CA, so the overlap begins.
	StepInjected Step = "CAInjected"
	// StepWithheld: some bundle lacks the next CA again, so the overlap ends early.
	StepWithheld Step = "CAWithheld"
	// StepPromoted: the next CA signs from now on. The bundle stays the same.
	StepPromoted Step = "CAPromoted"
	// StepLost: added a next CA to the bundle, because the key of the CA that has signed what is
	// served is lost.
	StepLost Step = "CALost"
	// StepReplaced: the next CA signs at once, because nothing is served that clients accept.
	StepReplaced Step = "CAReplaced"
	// StepRetired: removed a CA whose last leaf has expired from the bundle.
	StepRetired Step = "CARetired"
	// StepRecovered: repaired what an interruption or a person has left.
	StepRecovered Step = "CARecovered"
	// StepNoted: recorded something that changes nothing for clients.
	StepNoted Step = "CANoted"
)

// String describes the step in a sentence, for a log or an Event.
func (s Step) String() string {
	switch s {
	case StepCreated:
		return "made a CA"
	case StepPublished:
		return "added a next CA to the bundle beside the one that signs; it signs after every caBundle holds it"
	case StepInjected:
		return "every caBundle holds the next CA; it signs after the overlap"
	case StepWithheld:
		return "a caBundle lacks the next CA again; the rotation waits"
	case StepPromoted:
		return "the next CA signs from now on; the old one stays in the bundle until its last certificate expires"
	case StepLost:
		return "the key of the CA that signed the serving certificate is lost; added a next CA to the bundle beside it, which signs after every caBundle holds it"
	case StepReplaced:
		return "the next CA signs at once, because the old one has expired, or is lost with its certificate; calls fail until every caBundle holds the new one"
	case StepRetired:
		return "removed a CA from the bundle, because its last certificate has expired"
	case StepRecovered:
		return "repaired what was half written or unreadable beside the CA"
	case StepNoted:
		return "noted the state of the rotation"
	}
	return "nothing to do"
}

// Level is the log level of the step.
func (s Step) Level() slog.Level {
	switch s {
	case StepNone, StepNoted:
		return slog.LevelDebug
	case StepWithheld, StepReplaced, StepRecovered, StepLost:
		return slog.LevelWarn
	}
	return slog.LevelInfo
}
