// Package chaos starts, kills, restarts and reorders Crosswalk, CRDs and
// Crosswalks on a real installation, and watches all the time that no CRD is
// armed towards a server that cannot answer, and that nothing is lost.
package chaos
