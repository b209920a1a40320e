// Package certificates tests certificates from every source end to end, under
// conversions that never pause: from Crosswalk's own authority, from files, and
// from cert-manager, whose own controllers run as the program e2e/certmanager.
package certificates
