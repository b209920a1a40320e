package webhook

// shed is why a request was turned away though nothing is wrong with it.
type shed string

const (
	// shedFull says that there was no memory for it.
	shedFull shed = "full"
	// shedSlow says that others needed the memory that it held while its client sent or
	// read next to nothing.
	shedSlow shed = "slow"
)
