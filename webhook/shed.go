package webhook

// shed is the reason why a correct request was refused.
type shed string

const (
	// shedFull: there was no memory for the request.
	shedFull shed = "full"
	// shedSlow: other requests needed the memory that it held while its client sent or read
	// almost nothing.
	shedSlow shed = "slow"
)
