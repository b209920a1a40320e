package command

import (
	"bufio"
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

func TestServeUsage(t *testing.T) {
	const example = "serve --config ../../../examples/crontab "
	tests := []struct{ args, want string }{
		{"serve", "this process does not run in a cluster (unable to load in-cluster configuration, KUBERNETES_SERVICE_HOST and KUBERNETES_SERVICE_PORT must be defined); name a kubeconfig with --kubeconfig"},
		{"serve --kubeconfig nowhere", "the kubeconfig nowhere: stat nowhere: no such file or directory"},
		{"serve --certs authority", "--certs authority: in a cluster crosswalk manage is the authority; use secret, or folder"},
		{"serve --service=", "--service is empty"},
		{"serve --certs-secret=", "--certs-secret is empty"},
		{"serve --config ../../../e2e/bench/testdata --kubeconfig a", "--kubeconfig is not needed: tables come from --config, and no policy in it looks anything up"},
		{example + "--dns-name -a", `--dns-name: "-a" is neither a DNS name nor an IP address: a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')`},
		{example + "--certs secret", "--certs secret: with --config there is no cluster to read it from; use authority, or folder"},
		{"serve now", `unexpected argument "now": name tables and CRDs with --config`},
		{"serve --config nowhere", "nowhere: no such file or directory"},
		{"serve --config=", "--config is empty: name a file or folder with a CRD and its Crosswalk"},
		{example + "--listen nonsense", `--listen "nonsense": want HOST:PORT or :PORT`},
		{example + "--listen localhost:", `--listen "localhost:": want HOST:PORT or :PORT`},
		{example + "--health-listen :99999", `--health-listen ":99999": want HOST:PORT or :PORT`},
		{example + "--aggregated-listen nonsense", `--aggregated-listen "nonsense": want HOST:PORT or :PORT`},
		{example + "--aggregated-listen :0", "--aggregated-listen needs a cluster, which authorizes its callers: this process does not run in a cluster (unable to load in-cluster configuration, KUBERNETES_SERVICE_HOST and KUBERNETES_SERVICE_PORT must be defined); name a kubeconfig with --kubeconfig"},
		{example + "--client-name a", "--client-name needs --client-ca, the CA of the certificates with that name"},
		{example + "--client-ca nowhere", `--client-ca: open nowhere: no such file or directory`},
		{example + "--certs letsencrypt", `--certs "letsencrypt": use authority, folder or secret`},
		{example + "--certs-dir=", "--certs-dir is empty"},
		{example + "--tls-min-version 1.1", `--tls-min-version "1.1": want 1.2 or 1.3`},
		{example + "--drain-delay -1s", "--drain-delay -1s: use 0s or more"},
		{example + "--max-body-bytes 0", "--max-body-bytes 0: want 1 to 2147483646"},
		{example + "--max-memory-bytes -1", "--max-memory-bytes -1: want 0 or more"},
		{example + "--max-body-bytes 4294967296", "--max-body-bytes 4294967296: want 1 to 2147483646"},
		{example + "--max-object-bytes 0", "--max-object-bytes 0: want 1 to 1073741824"},
		{example + "--max-object-bytes 1073741825", "--max-object-bytes 1073741825: want 1 to 1073741824"},
		{example + "--log-format xml", `--log-format "xml": use json or text`},
	}
	for _, test := range tests {
		t.Run(test.args, func(t *testing.T) {
			crosswalk(t, "", strings.Fields(test.args)...).expect(t, result{code: exitUsage,
				stderr: "crosswalk: " + test.want + "\nSee 'crosswalk serve --help'.\n"})
		})
	}
}

// serving is a running serve.
type serving struct {
	addresses map[string]string
	log       *strings.Builder // complete once it has exited
	stop      context.CancelFunc
	exited    chan int
}

// serve starts the command and waits until both addresses are known.
func serve(t *testing.T, args ...string) *serving {
	t.Helper()
	ctx, stop := context.WithCancel(t.Context())
	s := &serving{addresses: map[string]string{}, log: &strings.Builder{}, stop: stop, exited: make(chan int, 1)}
	reader, writer := io.Pipe()
	args = append([]string{"serve", "--config", "../../../examples/crontab", "--listen", "127.0.0.1:0", "--health-listen", "127.0.0.1:0", "--drain-delay", "0s"}, args...)
	code := make(chan int, 1)
	go func() {
		code <- Options{}.run(ctx, args, strings.NewReader(""), io.Discard, writer)
		_ = writer.Close() // of a pipe: never fails
	}()
	bound := make(chan struct{})
	go func() {
		for lines := bufio.NewScanner(reader); lines.Scan(); {
			s.log.WriteString(lines.Text() + "\n")
			var line struct{ Msg, Listener, Address string }
			if json.Unmarshal(lines.Bytes(), &line) == nil && line.Msg == "listening" {
				s.addresses[line.Listener] = line.Address
				if len(s.addresses) == 2 {
					close(bound)
				}
			}
		}
		s.exited <- <-code
	}()
	select {
	case <-bound:
	case c := <-s.exited:
		t.Fatalf("exited with %d:\n%s", c, s.log)
	}
	return s
}

// end ends the command as who started it may, through its context.
func (s *serving) end(t *testing.T) {
	t.Helper()
	s.stop()
	s.ended(t)
}

// ended waits for the command and looks at how it ended.
func (s *serving) ended(t *testing.T) {
	t.Helper()
	if code := <-s.exited; code != exitOK {
		t.Errorf("exit code %d\n%s", code, s.log)
	}
	if !strings.Contains(s.log.String(), `"msg":"draining"`) || !strings.Contains(s.log.String(), `"msg":"stopped"`) {
		t.Errorf("the log does not show how it ended:\n%s", s.log)
	}
}

func trusting(t *testing.T, ca string, most uint16) *http.Client {
	t.Helper()
	bundle, err := os.ReadFile(ca)
	if err != nil {
		t.Fatal(err)
	}
	roots := x509.NewCertPool()
	roots.AppendCertsFromPEM(bundle)
	transport := &http.Transport{TLSClientConfig: &tls.Config{RootCAs: roots, MaxVersion: most, ServerName: "crosswalk.system.svc"}}
	t.Cleanup(transport.CloseIdleConnections)
	return &http.Client{Transport: transport}
}

const askForV1 = `{"kind":"ConversionReview","apiVersion":"apiextensions.k8s.io/v1","request":{"uid":"7","desiredAPIVersion":"stable.example.com/v1",` +
	`"objects":[{"apiVersion":"stable.example.com/v1beta1","kind":"CronTab","metadata":{"name":"a"},"spec":{"hostPort":"localhost:1234"}}]}}`

// TestServe: with nothing but files, and port 0.
func TestServe(t *testing.T) {
	dir := t.TempDir()
	s := serve(t, "--certs-dir", dir, "--dns-name", "crosswalk.system.svc", "--max-body-bytes", "1000", "--max-object-bytes", "500")
	client := trusting(t, filepath.Join(dir, "ca.crt"), 0)
	post := func(body string) (int, string) {
		response, err := client.Post("https://"+s.addresses["webhook"]+"/convert", "application/json", strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		return content(t, response)
	}
	status, body := post(askForV1)
	const want = `{"kind":"ConversionReview","apiVersion":"apiextensions.k8s.io/v1","response":{"uid":"7","convertedObjects":[` +
		`{"apiVersion":"stable.example.com/v1","kind":"CronTab","metadata":{"name":"a"},"spec":{"host":"localhost","port":"1234"}}],"result":{"status":"Success"}}}`
	if status != http.StatusOK || body != want {
		t.Errorf("convert\n got %d %s\nwant %s", status, body, want)
	}
	if status, _ := post(strings.Repeat(" ", 1001)); status != http.StatusRequestEntityTooLarge {
		t.Errorf("--max-body-bytes: got %d", status)
	}
	if _, body := post(strings.Replace(askForV1, `"spec":{`, `"spec":{"image":"`+strings.Repeat("i", 500)+`",`, 1)); !strings.Contains(body, `"message":"CronTab a: to v1: the object is 632 bytes long, and the limit is 500; `) {
		t.Errorf("--max-object-bytes: got %s", body)
	}
	for path, want := range map[string][]string{
		"/livez":          {"ok\n"},
		"/readyz?verbose": {"[+]draining ok\n[+]tables ok\n[+]certificate ok\nok\n"},
		"/metrics": {
			`crosswalk_conversion_objects_total{crd="crontabs.stable.example.com",from="v1beta1",result="success",to="v1"} 1`,
			`role="serve",version="` + Options{}.version() + `"} 1`,
			`crosswalk_readiness{check="certificate"} 1`,
		},
	} {
		response, err := http.Get("http://" + s.addresses["health"] + path)
		if err != nil {
			t.Fatal(err)
		}
		status, body := content(t, response)
		for _, part := range want {
			if status != http.StatusOK || !strings.Contains(body, part) {
				t.Errorf("%s\n got %d %s\nwant %s", path, status, body, part)
			}
		}
	}
	old := trusting(t, filepath.Join(dir, "ca.crt"), tls.VersionTLS12)
	if _, err := old.Get("https://" + s.addresses["webhook"]); err == nil {
		t.Error("TLS 1.2 by default")
	}
	// As the kubelet ends it.
	process, err := os.FindProcess(os.Getpid())
	if err != nil {
		t.Fatal(err)
	}
	if err := process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	s.ended(t)
}

// TestServePolicies: from files, Kubernetes' own among them; what they look up needs
// a cluster.
func TestServePolicies(t *testing.T) {
	dir, certs := t.TempDir(), t.TempDir()
	write := func(name, text string) {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	const about = "matchConstraints: {resourceRules: [{apiGroups: [''], apiVersions: [v1], operations: [CREATE], resources: [configmaps]}]}"
	write("native.yaml", `
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: {name: owned}
spec: {`+about+`, validations: [{expression: "'owner' in object.metadata.labels", message: say who to ask}]}
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata: {name: everywhere}
spec: {policyName: owned, validationActions: [Deny]}
`)
	write("ours.yaml", `
apiVersion: crosswalk.dev/v1alpha1
kind: ValidationPolicy
metadata: {name: looks-up}
spec:
  `+about+`
  lookups: [{name: other, apiVersion: v1, kind: ConfigMap, nameExpression: "'other'"}]
  validations: [{expression: lookups.other == null, message: there is another}]
`)
	s := serve(t, "--config", dir, "--certs-dir", certs, "--dns-name", "crosswalk.system.svc")
	client := trusting(t, filepath.Join(certs, "ca.crt"), 0)
	response, err := client.Post("https://"+s.addresses["webhook"]+"/validate/policies/looks-up/owned?timeout=10s", "application/json", strings.NewReader(
		`{"kind":"AdmissionReview","apiVersion":"admission.k8s.io/v1","request":{"uid":"7","kind":{"group":"","version":"v1","kind":"ConfigMap"},`+
			`"resource":{"group":"","version":"v1","resource":"configmaps"},"name":"a","namespace":"default","operation":"CREATE",`+
			`"object":{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a","labels":{}}}}}`))
	if err != nil {
		t.Fatal(err)
	}
	status, body := content(t, response)
	for _, want := range []string{
		`validationpolicy \"looks-up\": spec.validations[0].expression \"lookups.other == null\" cannot be evaluated: the lookup other: ConfigMap: objects cannot be read here`,
		`ValidatingAdmissionPolicy 'owned' with binding 'everywhere' denied request: say who to ask`,
	} {
		if status != http.StatusOK || !strings.Contains(body, want) {
			t.Errorf("got %d %s\nwant %s", status, body, want)
		}
	}
	s.end(t)
	if want := `"msg":"policies cannot look anything up"`; !strings.Contains(s.log.String(), want) {
		t.Errorf("the log does not say %s\n%s", want, s.log)
	}
	write("ours.yaml", "apiVersion: crosswalk.dev/v1alpha1\nkind: ValidationPolicy\nmetadata: {name: wrong}\nspec:\n  "+about+"\n  validations:\n  - expression: objekt == 1\n")
	got := crosswalk(t, "", "serve", "--config", dir, "--certs-dir", certs)
	if want := "ours.yaml: document 1, line 7: ValidationPolicy wrong: .spec.validations[0].expression: "; got.code != exitUsage || !strings.Contains(got.stderr, want) {
		t.Errorf("exit code %d, standard error\n%s\nwant\n%s", got.code, got.stderr, want)
	}
}

// TestServeFolder: certificates that somebody else keeps, TLS 1.2, and log
// lines as text.
func TestServeFolder(t *testing.T) {
	dir := t.TempDir()
	serve(t, "--certs-dir", dir, "--dns-name", "crosswalk.system.svc").end(t) // fills the folder
	if err := os.Remove(filepath.Join(dir, "ca.key")); err != nil {
		t.Fatal(err)
	}
	s := serve(t, "--certs", "folder", "--certs-dir", dir, "--tls-min-version", "1.2")
	response, err := trusting(t, filepath.Join(dir, "ca.crt"), tls.VersionTLS12).Get("https://" + s.addresses["webhook"] + "/convert")
	if err != nil {
		t.Fatal(err)
	}
	if status, _ := content(t, response); status != http.StatusMethodNotAllowed {
		t.Errorf("got %d", status)
	}
	s.end(t)
}

// TestServeCannotListen: an address that is taken is no usage error.
func TestServeCannotListen(t *testing.T) {
	s := serve(t, "--certs-dir", t.TempDir())
	got := crosswalk(t, "", "serve", "--config", "../../../examples/crontab", "--certs-dir", t.TempDir(), "--log-format", "text",
		"--listen", "127.0.0.1:0", "--health-listen", s.addresses["health"])
	if want := "crosswalk: --health-listen: listen tcp " + s.addresses["health"] + ": bind: address already in use\n"; got.code != exitFailed || !strings.HasSuffix(got.stderr, want) {
		t.Errorf("exit code %d, standard error\n%s\nwant\n%s", got.code, got.stderr, want)
	}
	if !strings.Contains(got.stderr, `msg="loaded a table" crd=crontabs.stable.example.com`) {
		t.Errorf("--log-format text: got\n%s", got.stderr)
	}
	s.end(t)
}

func content(t *testing.T, response *http.Response) (int, string) {
	t.Helper()
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	return response.StatusCode, string(body)
}
