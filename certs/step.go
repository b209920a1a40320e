package certs

import "log/slog"

// Step is what [Keyring.Advance] has done. The text is fit for an Event's
// reason.
type Step string

const (
	// StepNone is that there is nothing to do now.
	StepNone Step = ""
	// StepCreated is the first CA.
	StepCreated Step = "CACreated"
	// StepPublished adds a next CA to the bundle.
	StepPublished Step = "CAPublished"
	// StepInjected begins the overlap: every bundle holds the next CA.
	StepInjected Step = "CAInjected"
	// StepWithheld ends the overlap before its time: some bundle lacks the next
	// CA again.
	StepWithheld Step = "CAWithheld"
	// StepPromoted makes the next CA the one that signs. The bundle stays.
	StepPromoted Step = "CAPromoted"
	// StepReplaced does the same at once, because the old CA has expired.
	StepReplaced Step = "CAReplaced"
	// StepRetired takes a CA out of the bundle whose last leaf has expired.
	StepRetired Step = "CARetired"
	// StepRecovered mends what an interruption or a hand has left.
	StepRecovered Step = "CARecovered"
	// StepNoted keeps something in mind that changes nothing for anybody.
	StepNoted Step = "CANoted"
)

// String says it in a sentence, for a log or an Event.
func (s Step) String() string {
	switch s {
	case StepCreated:
		return "made a CA"
	case StepPublished:
		return "a next CA is in the bundle beside the one that signs; it waits until every caBundle holds it"
	case StepInjected:
		return "every caBundle holds the next CA; it signs when the overlap is over"
	case StepWithheld:
		return "a caBundle lacks the next CA again; it goes on waiting"
	case StepPromoted:
		return "the next CA signs from now on; the old one stays in the bundle until its last certificate has expired"
	case StepReplaced:
		return "the CA has expired and is replaced at once; calls fail until every caBundle holds the new one"
	case StepRetired:
		return "a CA whose last certificate has expired has left the bundle"
	case StepRecovered:
		return "mended what was half written or unreadable beside the CA"
	case StepNoted:
		return "noted the state of the rotation"
	}
	return "nothing to do"
}

// Level is how much it matters to an operator.
func (s Step) Level() slog.Level {
	switch s {
	case StepNone, StepNoted:
		return slog.LevelDebug
	case StepWithheld, StepReplaced, StepRecovered:
		return slog.LevelWarn
	}
	return slog.LevelInfo
}
