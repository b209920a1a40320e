package main

import "time"

const (
	none    = "Objects cannot be read or written in any version but the stored one, and writes that policies guard are rejected."
	expires = "The replica serve-0 serves a certificate with less than a tenth of its lifetime left. It should have been renewed long ago."
	expired = "The API server rejects, or is about to reject, every connection to the replica serve-0."
	now     = 0
	minutes = time.Minute
)

// cases are troubles: the series that differ from a healthy cluster's, and the alerts that
// fire, by how long after it began. A series with some labels means all that have them.
var cases = map[string]struct {
	series scenario
	fires  map[string]time.Duration
}{
	"serve is gone": {
		scenario{`crosswalk_build_info{role="serve"}`: "1x59 stale"},
		map[string]time.Duration{`CrosswalkServeAbsent{role="serve"} ` + none: 2 * minutes},
	},
	"one replica of serve is gone": {
		scenario{`crosswalk_build_info{instance="serve-0"}`: "1x59 stale", `crosswalk_readiness{instance="serve-0"}`: "1x59 stale"}, nil,
	},
	"no replica of serve is ready": {
		scenario{`crosswalk_readiness{check="tables"}`: "1x59 0x180"},
		map[string]time.Duration{
			`CrosswalkServeNotReady{} ` + none: 2 * minutes,
			`CrosswalkReplicaNotReady{check="tables", instance="serve-0"} The replica serve-0 gets no requests, because its check "tables" fails.`: 10 * minutes,
			`CrosswalkReplicaNotReady{check="tables", instance="serve-1"} The replica serve-1 gets no requests, because its check "tables" fails.`: 10 * minutes,
		},
	},
	"one replica of serve is not ready": {
		scenario{`crosswalk_readiness{check="certificate",instance="serve-1"}`: "1x59 0x180"},
		map[string]time.Duration{
			`CrosswalkReplicaNotReady{check="certificate", instance="serve-1"} The replica serve-1 gets no requests, because its check "certificate" fails.`: 10 * minutes,
		},
	},
	"replicas are not ready for some minutes, in turn": {
		scenario{`crosswalk_readiness{check="tables",instance="serve-0"}`: "1x59 0x18 1x100", `crosswalk_readiness{check="tables",instance="serve-1"}`: "1x79 0x18 1x100"}, nil,
	},
	"a replica of manage is not ready": {
		scenario{`crosswalk_readiness{instance="manage-1"}`: "1x59 0x180"},
		map[string]time.Duration{
			`CrosswalkReplicaNotReady{check="cluster", instance="manage-1"} The replica manage-1 gets no requests, because its check "cluster" fails.`: 10 * minutes,
		},
	},
	"a fiftieth of the requests fail": {
		scenario{`crosswalk_http_requests_total{code="5xx"}`: "0x59 2+2x180"},
		map[string]time.Duration{`CrosswalkRequestsFail{route="/convert/{fingerprint}"} 1.961% of the requests to /convert/{fingerprint} get no answer or one with a status of 500 or above.`: 12*minutes + 30*time.Second},
	},
	"clients do not wait for answers": {
		scenario{`crosswalk_http_requests_total{job="crosswalk",instance="serve-0",route="/validate/{name}",code="none"}`: "0x59 1+1x180"},
		map[string]time.Duration{`CrosswalkRequestsFail{route="/validate/{name}"} 100% of the requests to /validate/{name} get no answer or one with a status of 500 or above.`: 10 * minutes},
	},
	"one request in two hundred fails": {scenario{`crosswalk_http_requests_total{code="5xx"}`: "0x59 0.5+0.5x180"}, nil},
	"clients are wrong": {
		scenario{`crosswalk_http_requests_total{job="crosswalk",instance="serve-0",route="other",code="4xx"}`: "0x59 100+100x180"}, nil,
	},
	"requests are shed": {
		scenario{`crosswalk_requests_shed_total{instance="serve-0",reason="full"}`: "0x59 3x180"},
		map[string]time.Duration{`CrosswalkRequestsShed{} Requests refused within 10 minutes, because other requests used the memory that they needed: 3. The API server tries such requests again.`: now},
	},
	"connections are shed": {
		scenario{`crosswalk_connections_shed_total{instance="serve-0"}`: "0x59 462x180"},
		map[string]time.Duration{`CrosswalkConnectionsShed{} Connections closed within 10 minutes, because a replica had too many: 462.`: now},
	},
	"slow clients are shed": {scenario{`crosswalk_requests_shed_total{reason="slow"}`: "0x59 3+3x180"}, nil},
	"a panic": {
		scenario{`crosswalk_panics_total{instance="serve-0"}`: "0x59 1x180"},
		map[string]time.Duration{`CrosswalkPanics{} Requests that ended in a panic within 10 minutes: 1.`: now},
	},
	// The certificate of the healthy cluster is valid for ten days from the start of time.
	"a certificate has a ninth of its time left": {
		scenario{`crosswalk_certificate_expiry_timestamp_seconds{}`: "864000x59 43200x180", `crosswalk_certificate_start_timestamp_seconds{}`: "0x59 -280000x180"}, nil,
	},
	"a certificate has less than a tenth of its time left": {
		scenario{`crosswalk_certificate_expiry_timestamp_seconds{instance="serve-0"}`: "864000x59 43200x180", `crosswalk_certificate_start_timestamp_seconds{instance="serve-0"}`: "0x59 -400000x180"},
		map[string]time.Duration{
			`CrosswalkCertificateExpires{instance="serve-0"} ` + expires: 10 * minutes,
		},
	},
	"a certificate expires within the hour": {
		scenario{`crosswalk_certificate_expiry_timestamp_seconds{instance="serve-0"}`: "864000x59 5000x180", `crosswalk_certificate_start_timestamp_seconds{instance="serve-0"}`: "0x59 -100000x180"},
		map[string]time.Duration{
			`CrosswalkCertificateExpires{instance="serve-0"} ` + expires: 10 * minutes,
			`CrosswalkCertificateExpired{instance="serve-0"} ` + expired: 5 * minutes,
		},
	},
	"there is no certificate": {
		scenario{`crosswalk_certificate_expiry_timestamp_seconds{instance="serve-0"}`: "864000x59 0x180"},
		map[string]time.Duration{
			`CrosswalkCertificateExpires{instance="serve-0"} ` + expires: 10 * minutes,
			`CrosswalkCertificateExpired{instance="serve-0"} ` + expired: 5 * minutes,
		},
	},
	"two versions": {
		scenario{`crosswalk_build_info{instance="serve-1"}`: "1x59 stale", `crosswalk_build_info{job="crosswalk",instance="serve-1",role="serve",version="v2",commit="d"}`: "_x60 1x180"},
		map[string]time.Duration{`CrosswalkVersionsDiffer{} Versions that run: 2. A rollout or a rollback is not complete.`: time.Hour},
	},
	"a roll-out": {
		scenario{`crosswalk_build_info{instance="serve-1"}`: "1x59 stale", `crosswalk_build_info{job="crosswalk",instance="serve-1",role="serve",version="v2",commit="d"}`: "_x60 1x100 stale"}, nil,
	},
	"an object cannot be converted": {
		scenario{`crosswalk_conversion_objects_total{instance="serve-0",result="failure"}`: "0x59 1x180"},
		map[string]time.Duration{
			`CrosswalkConversionsFail{crd="crontabs", from="v1", to="v2"} Conversions of crontabs from v1 to v2 that failed within 10 minutes: 1. A list in v2 that holds such an object fails, too.`: now,
		},
	},
	"values are lost": {
		scenario{`crosswalk_conversion_left_out_total{instance="serve-1"}`: "0x59 7x180"},
		map[string]time.Duration{`CrosswalkValuesLost{crd="crontabs"} Values of crontabs lost within 10 minutes, because the annotations of their objects have no room for them: 7.`: now},
	},
	"values are not shown": {
		scenario{`crosswalk_conversion_unplaced_total{instance="serve-1"}`: "0x59 7x180"},
		map[string]time.Duration{`CrosswalkValuesNotShown{crd="crontabs"} Values of crontabs that were kept under an earlier table and not shown within 10 minutes: 7. They are still stored.`: now},
	},
	"stashes are ignored": {
		scenario{`crosswalk_conversion_ignored_stashes_total{instance="serve-1"}`: "0x59 2x180"},
		map[string]time.Duration{`CrosswalkStashesIgnored{crd="crontabs"} Times within 10 minutes that the annotation of an object of crontabs was ignored, because it is malformed or of an unknown format: 2.`: now},
	},
	"a conversion takes two seconds": {
		scenario{`crosswalk_conversion_slow_total{instance="serve-0"}`: "0x59 1x180"},
		map[string]time.Duration{`CrosswalkConversionsSlow{crd="crontabs"} Objects of crontabs that took longer than a second to convert, within 10 minutes: 1. The API server gives up after 30 s.`: now},
	},
	"writes get no verdict": {
		scenario{`crosswalk_admission_verdicts_total{instance="serve-0",verdict="error"}`: "0x59 5+5x180"},
		map[string]time.Duration{
			`CrosswalkVerdictsFail{phase="validate", webhook="policies"} Writes that got no verdict from /validate/policies within 10 minutes: 100. The API server does with them what the failurePolicy says.`: 10 * minutes,
		},
	},
	"some writes get no verdict": {scenario{`crosswalk_admission_verdicts_total{instance="serve-0",verdict="error"}`: "0x59 5x180"}, nil},
	"a policy fails": {
		scenario{`crosswalk_policy_opinions_total{instance="serve-0",opinion="failed"}`: "0x59 1x180"},
		map[string]time.Duration{`CrosswalkPolicyFails{kind="ValidationPolicy", policy="quota"} Writes within 10 minutes for which the ValidationPolicy quota could not be evaluated: 1.`: now},
	},
	"reads are late": {
		scenario{`crosswalk_policy_read_duration_seconds_count{instance="serve-0",outcome="late"}`: "0x59 1x180"},
		map[string]time.Duration{`CrosswalkPolicyReadsFail{outcome="late", read="lookup"} Reads of the kind "lookup" that were late within 10 minutes: 1. The policies that need them have failed.`: now},
	},
	"every fiftieth write waits": {
		scenario{
			`crosswalk_admission_review_duration_seconds_bucket{le="0.5"}`: "0+100x59 6000+98x180",
			`crosswalk_admission_review_duration_seconds_bucket{le="1.0"}`: "0+100x59 6000+98x180",
		},
		map[string]time.Duration{`CrosswalkVerdictsSlow{phase="validate", webhook="policies"} The slowest hundredth of the writes that /validate/policies judges takes 5.5s or longer. The API server gives up after 10 s.`: 12*minutes + 30*time.Second},
	},
	"manage does not lead": {
		scenario{`crosswalk_condition{}`: "1x59 stale", `crosswalk_injection_bundle_usable{}`: "1x59 stale"},
		map[string]time.Duration{`CrosswalkManageAbsent{} Conversions and verdicts continue. New and changed Crosswalks and policies have no effect, and certificates are not renewed.`: 10 * minutes},
	},
	"a Crosswalk is not ready": {
		scenario{
			`crosswalk_condition{kind="Crosswalk",type="Ready"}`: "1x59 stale",
			// The reason may change without the alert beginning anew.
			`crosswalk_condition{job="crosswalk",instance="manage-0",kind="Crosswalk",name="crontabs",type="Ready",reason="Contended"}`: "_x60 0x10 stale",
			`crosswalk_condition{job="crosswalk",instance="manage-0",kind="Crosswalk",name="crontabs",type="Ready",reason="NoReplica"}`: "_x71 0x180",
		},
		map[string]time.Duration{`CrosswalkNotReady{kind="Crosswalk", name="crontabs", type="Ready"} The condition Ready of the Crosswalk crontabs has not been True for 10 minutes.`: 10 * minutes},
	},
	"the authority cannot be used": {
		scenario{`crosswalk_authority_expiry_timestamp_seconds{}`: "315360000x59 0x180"},
		map[string]time.Duration{`CrosswalkAuthorityUnusable{} No serving certificate can be issued. Calls continue until the current one expires.`: 10 * minutes},
	},
	"a Crosswalk is not guarded": {
		scenario{
			`crosswalk_condition{type="Guarded",reason="Guarded"}`:                                                                        "1x59 stale",
			`crosswalk_condition{job="crosswalk",instance="manage-0",kind="Crosswalk",name="crontabs",type="Guarded",reason="Contended"}`: "_x60 0x180",
		},
		map[string]time.Duration{`CrosswalkNotReady{kind="Crosswalk", name="crontabs", type="Guarded"} The condition Guarded of the Crosswalk crontabs has not been True for 10 minutes.`: 10 * minutes},
	},
	"another replica of manage leads": {
		scenario{
			`crosswalk_condition{}`: "1x59 stale",
			`crosswalk_condition{job="crosswalk",instance="manage-1",kind="Crosswalk",name="crontabs",type="Ready",reason="Ready"}`: "_x71 1x180",
			`crosswalk_injection_bundle_usable{instance="manage-0"}`:                                                                "1x59 0x180",
			`crosswalk_injection_bundle_usable{instance="manage-1"}`:                                                                "0x70 1x180",
		}, nil,
	},
	"a controller fails": {
		scenario{`controller_runtime_reconcile_errors_total{instance="manage-0"}`: "0+0.5x59 30+3x180"},
		map[string]time.Duration{`CrosswalkManageFails{controller="arming"} Failures of the controller arming within 10 minutes: 70.`: 12 * minutes},
	},
	"objects get no bundle": {
		scenario{`crosswalk_injection_objects{state="problem"}`: "0x59 2x180"},
		map[string]time.Duration{`CrosswalkInjectionFails{kind="APIService"} Objects of the kind APIService that ask for a CA bundle and do not get it: 2.`: 10 * minutes},
	},
	"there is no bundle": {
		scenario{`crosswalk_injection_bundle_usable{}`: "0x240"},
		map[string]time.Duration{`CrosswalkBundleUnusable{} Objects that ask for the bundle keep their current one, and new ones get none.`: -20 * minutes},
	},
}
