# Everything but the documentation site needs Go and make only. From empty caches the first run compiles a
# whole Kubernetes API server and says how far it is; later runs take seconds.

GO ?= go

# What is built says that it is of this version, and deploy names the image by it.
# Between releases it is the next one with -dev, which no registry has.
VERSION ?= v0.1.0-dev

# Compiling is most of the first make test. Nobody debugs what make builds: it takes a
# seventh less without what a debugger needs (to debug, use go build and go test, which
# compile their own), and a twentieth less where one thread compiles a package, since
# there are more packages than processors. Nor does anything wait for the code of BULK,
# half of all that is compiled and most of it generated: a quarter less without inlining.
BULK := k8s.io/api/... k8s.io/client-go/... k8s.io/kubernetes/... \
	github.com/cert-manager/... sigs.k8s.io/gateway-api/...
LEAN := -dwarf=false -c=1
export GOFLAGS := $(shell $(GO) env GOFLAGS) \
	'-gcflags=all=$(LEAN)' $(foreach packages,$(BULK),'-gcflags=$(packages)=$(LEAN) -l') -ldflags=-w

# The compiler lives for a second and need not collect garbage: a tenth less, for half a
# gigabyte. Where memory is short it still does.
COMPILING := GOGC=800 GOMEMLIMIT=2GiB

# The race detector needs a C compiler. Where there is none, the tests run
# without it and say so. The control plane is Kubernetes' code, not ours, and is
# never built with it.
RACE := $(shell cc=$$($(GO) env CC); [ "$$($(GO) env CGO_ENABLED)" = 1 ] && command -v $${cc%% *} >/dev/null 2>&1 && echo -race)

# Builds programs into bin, from the folder e2e.
BUILD := $(COMPILING) $(GO) run ./build -version '$(VERSION)'

# Programs that make and the tests run, from a module of their own.
TOOL := $(GO) tool -modfile=$(CURDIR)/internal/tools/go.mod

# Shows every 25th package that go build -v names, and downloads as they come.
# Errors are go test's to report.
PROGRESS := awk '/^go: / { print; next } /^\# / { exit } ++n % 25 == 0 { printf "  compiled %d packages, now %s\n", n, $$0; fflush() }'

# What the tests of a module are made of, the standard library left out.
NEEDED := $(GO) list -test -deps -f '{{if not (or .Standard .ForTest)}}{{if ne .Name "main"}}{{.ImportPath}}{{end}}{{end}}'

.PHONY: help
help: ## Say what there is to make
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-15s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

# A folder in examples.
EXAMPLE ?= crontab

.PHONY: run
run: ## Show Crosswalk at work on a real API server until Ctrl-C; EXAMPLE=star shows another example
	@[ -n '$(EXAMPLE)' ] && [ -f 'examples/$(EXAMPLE)/README.md' ] || \
		{ echo "there is no example '$(EXAMPLE)'; there are" $$(cd examples && dirname */README.md); exit 1; }
	@cd e2e && $(BUILD) controlplane kubectl etcdctl crosswalk demo
	@exec bin/demo --example '$(EXAMPLE)'

.PHONY: build
build: ## Build bin/crosswalk
	@cd e2e && $(BUILD) crosswalk

# The name of the image that deploy installs.
IMAGE ?= ghcr.io/crosswalk-dev/crosswalk

.PHONY: image
image: ## Build the image IMAGE:VERSION for linux/amd64 and linux/arm64 into bin/image, without Docker
	@cd internal/release && $(GO) run . image --name '$(IMAGE)' --version '$(VERSION)'

.PHONY: version
version: ## Have Makefile, deploy, chart and changelog name a version, as make version VERSION=v1.2.3
	@cd internal/release && $(GO) run . version --version '$(VERSION)'

# Where the chart of a release is sent, and what the release's files are in.
CHARTS ?= oci://ghcr.io/crosswalk-dev/charts
FILES ?= bin/release
DIGESTS ?= bin/image

# Whatever version the repository is at, a trial of any other can be made.
.PHONY: release
release: ## Build the image and the files of a release into bin/release, as make release VERSION=v1.2.3
	@rm -rf bin/release
	@cd internal/release && $(GO) run . all --name '$(IMAGE)' --charts '$(CHARTS)' --version '$(VERSION)'

.PHONY: push
push: ## Build the image, and send it to the registry that IMAGE=registry.example.com/crosswalk names
	@cd internal/release && $(GO) run . image --name '$(IMAGE)' --version '$(VERSION)' --push

# HELM_FLAGS may be --plain-http, for a registry that has no TLS.
.PHONY: push-chart
push-chart: ## Send the chart that make release has packaged to the registry CHARTS=oci://registry.example.com/charts
	@cd e2e && $(BUILD) helm
	@out=$$(bin/helm push $(HELM_FLAGS) '$(FILES)/crosswalk-$(VERSION:v%=%).tgz' '$(CHARTS)' 2>&1) || { echo "$$out"; exit 1; }; \
		echo "$$out"; echo "$$out" | awk '/^Digest: / { print $$2 }' >'$(DIGESTS)/chart-digest'

# Who signs is who runs the workflow, of which Sigstore has a public record. With a key:
# COSIGN_FLAGS='--key cosign.key'.
COSIGN ?= cosign

.PHONY: sign
sign: ## Sign the image and the chart that have been sent, and the checksums of the files, with cosign
	@[ -s '$(DIGESTS)/digest' ] && [ -s '$(DIGESTS)/chart-digest' ] || \
		{ echo 'nothing has been sent that could be signed: make push and make push-chart send it'; exit 1; }
	$(COSIGN) sign --yes $(COSIGN_FLAGS) "$(IMAGE)@$$(cat '$(DIGESTS)/digest')"
	$(COSIGN) sign --yes $(COSIGN_FLAGS) "$(CHARTS:oci://%=%)/crosswalk@$$(cat '$(DIGESTS)/chart-digest')"
	$(COSIGN) sign-blob --yes $(COSIGN_FLAGS) --bundle '$(FILES)/checksums.txt.sigstore.json' '$(FILES)/checksums.txt'

# What runs with the race detector shares one set of packages, compiled once. What
# runs without shares another, compiled without cgo as the programs in bin are. The
# control plane's own tests are in e2e/harness, which starts it.
# The time limit is for what hangs: a slow machine may need several times what a quick
# one does, and go test's own limit of 10 minutes is too short for it.
# go vet, which looks at a thousand packages that are not ours for what they print, is
# part of make lint.
RACING := $(GO) test $(RACE) -vet=off -short -timeout 40m
PLAIN := CGO_ENABLED=0 $(GO) test -vet=off -timeout 40m

# Where one goroutine does all the work the race detector has nothing to find, and
# takes six times as long: SOLO is tested without it, what measures time among it. Of
# what has both long computations and goroutines a part is tested with it, which is what
# -short is for, and the whole without.
SOLO := ./api/v1alpha1 ./conversion/internal/complement ./conversion/typed ./conversion/verify ./conversion/verify/internal/cost \
	./conversion/verify/internal/evolve ./conversion/verify/internal/proof ./docs \
	./internal/admit ./internal/config ./internal/jsontext ./internal/manifest ./internal/offline ./internal/report ./validation/patch
ALSO_WHOLE := ./certs ./conversion ./validation/policy

# Of the end-to-end tests those in RACED run our code in themselves. The others ask
# programs, of which crosswalk has the race detector where much goes on at once inside
# it: see Racing in e2e/harness.
RACED := ./authority ./conversion
RACING_PROGRAM := bin/test/crosswalk

# go test keeps the result of tests whose inputs are the same, and knows neither the
# programs that tests run nor the files that they read outside their own module.
UNCACHED := -count=1

# Each end-to-end package runs a whole control plane, so two processors run two packages
# at a time, the longest first. Binaries in bin/test are linked again only after a change,
# because linking takes as long as all tests of a package.
END_TO_END := $(UNCACHED) -p 2 -o $(CURDIR)/bin/test/

# The comparison with Kubernetes' converters is one long computation, the same each
# time, of what go test sees and of these, of which it is told by a variable.
ORACLE_INPUTS := bin/oracle examples/horizontalpodautoscaler/*.yaml

# Programs that live for a minute need not collect garbage often: a tenth of the
# time for some memory.
test test-in-process test-programs: export GOGC := 300

.PHONY: test
test: ## Run every test, end to end ones included
ifeq ($(RACE),)
	@echo '*** No C compiler: testing WITHOUT the race detector. Install one to test as CI does. ***'
endif
	@cd e2e && $(BUILD) controlplane kubectl etcdctl certmanager helm prometheus argocd oracle crosswalk
	@echo 'Compiling the tests $(RACE)'
	@$(COMPILING) $(GO) build $(RACE) -v $$($(NEEDED) ./...) 2>&1 | $(PROGRESS)
	@cd e2e && $(COMPILING) $(GO) build $(RACE) -v $$($(NEEDED) $(RACED)) 2>&1 | $(PROGRESS)
	$(if $(RACE),$(GO) build $(RACE) -o $(RACING_PROGRAM) ./cmd/crosswalk)
	$(RACING) $$($(GO) list ./... | grep -vxF "$$($(GO) list $(SOLO))")
	$(PLAIN) $(SOLO) $(ALSO_WHOLE)
	@echo 'Compiling crosswalk as it is released, for linux, macOS and Windows'
	cd internal/release && $(PLAIN) $(UNCACHED) ./...
	cd e2e/prometheus && $(PLAIN) $(UNCACHED) ./...
	cd e2e/argocd && $(PLAIN) $(UNCACHED) ./...
	@$(MAKE) --no-print-directory test-in-process
	@$(MAKE) --no-print-directory test-programs
	@echo 'All tests passed.'

# The two halves of the end-to-end tests, of what make test has built.
.PHONY: test-in-process test-programs
test-in-process:
	cd e2e && $(RACING) $(END_TO_END) $(RACED)
	cd e2e && CROSSWALK_ORACLE_INPUTS="$$(cd .. && cat $(ORACLE_INPUTS) | cksum)" $(PLAIN) ./oracle
test-programs:
	cd e2e && $(if $(RACE),CROSSWALK_RACING_PROGRAM=$(CURDIR)/$(RACING_PROGRAM)) $(PLAIN) -short $(END_TO_END) ./chaos ./certificates ./policies ./systems \
		$$($(GO) list ./... | grep -vxF "$$($(GO) list ./oracle $(RACED))")

.PHONY: lint
lint: ## Check formatting, words, the workflows, go vet and staticcheck
	@unformatted=$$(gofmt -l .); [ -z "$$unformatted" ] || { echo "run gofmt -w on:"; echo "$$unformatted"; exit 1; }
	$(GO) run ./internal/words
	$(TOOL) actionlint
	$(GO) vet ./...
	cd e2e && $(GO) vet ./...
	cd e2e/controlplane && $(GO) vet ./...
	cd e2e/certmanager && $(GO) vet ./...
	cd e2e/prometheus && $(GO) vet ./...
	cd e2e/argocd && $(GO) vet ./...
	cd internal/release && $(GO) vet ./...
	$(TOOL) staticcheck ./...
	cd e2e && $(TOOL) staticcheck ./...
	cd e2e/prometheus && $(TOOL) staticcheck ./...
	cd e2e/argocd && $(TOOL) staticcheck ./...
	cd internal/release && $(TOOL) staticcheck ./...

# The site is built in bin/site, where npm puts what it needs.
SITE := bin/site

$(SITE)/node_modules/.package-lock.json: internal/site/package-lock.json internal/site/package.json
	@mkdir -p $(SITE)
	@cp internal/site/package.json internal/site/package-lock.json $(SITE)
	@cd $(SITE) && npm ci --no-fund --no-audit

.PHONY: site
site: $(SITE)/node_modules/.package-lock.json ## Build the documentation site into bin/site/html; needs Node and npm
	@rm -rf $(SITE)/.vitepress && cp -R internal/site/.vitepress internal/site/look.test.mjs $(SITE)
	@cd $(SITE) && npx --no-install vitepress build

.PHONY: site-test
site-test: site ## Test the documentation site in Chromium, or the browser CHROMIUM=/path/to/program
	@cd $(SITE) && CHROMIUM='$(CHROMIUM)' node --test look.test.mjs

# Go's list of vulnerabilities, or a copy of it.
VULNERABILITIES ?= https://vuln.go.dev

.PHONY: vulnerabilities
vulnerabilities: ## Look for published vulnerabilities in what Crosswalk calls, Go's standard library included
	$(TOOL) govulncheck -db '$(VULNERABILITIES)' ./...
	cd internal/release && $(TOOL) govulncheck -db '$(VULNERABILITIES)' ./...

# A release of Kubernetes, such as 1.35; empty for all. Each takes about ten minutes, and
# as long again where nothing of it has been compiled yet.
RELEASE ?=

.PHONY: matrix
matrix: ## Test on every release of Kubernetes, and write the list in docs/kubernetes.md; RELEASE=1.35 chooses one
	@cd e2e && $(BUILD) controlplane kubectl etcdctl certmanager helm crosswalk
	@cd e2e && $(COMPILING) $(GO) run ./matrix -release '$(RELEASE)'

CASES ?= 1000000
SEED ?= 1

# A million cases take about four minutes on two processors that have nothing else to
# do, and six with the garbage collected as often as it is by default.
prove: export GOGC := 400

.PHONY: prove
prove: ## Judge the engine by a million generated cases, and what it costs; CASES=... SEED=... choose others
	@$(GO) run ./conversion/verify/internal/prove --cases $(CASES) --seed $(SEED)
	@GOGC=100 $(GO) run ./conversion/verify/internal/prove --cost --seed $(SEED)

FUZZ ?= ./...
FUZZTIME ?= 30s

# go test fuzzes one target at a time. What makes one fail it writes to testdata/fuzz
# beside it, and there it stays as a test.
.PHONY: fuzz
fuzz: ## Fuzz each target in turn; FUZZ=./conversion/... FUZZTIME=5m choose packages and time
	@$(GO) test -list '^Fuzz' $(FUZZ) | awk '/^Fuzz/ { all[n++] = $$1 } /^ok/ { for (i = 0; i < n; i++) print $$2, all[i]; n = 0 }' | \
	while read package target; do \
		echo "$$package $$target"; \
		$(GO) test -run '^$$' -fuzz "^$$target\$$" -fuzztime $(FUZZTIME) -fuzzminimizetime 1s $$package || exit; \
	done

.PHONY: bench
bench: ## Measure the engine, the handler against controller-runtime's, and a crowd of reviews
	$(GO) test -run '^$$' -bench . -benchmem ./conversion/... ./webhook/...
	cd e2e && $(GO) test -run '^$$' -bench . -benchmem ./bench
	cd e2e && $(BUILD) controlplane kubectl crosswalk
	cd e2e && $(GO) test -run '^$$' -bench . -benchtime 1x ./hostile

.PHONY: scale
scale: ## Measure a cluster of 300 Crosswalks and 200 policies, for nine minutes
	@cd e2e && $(BUILD) controlplane kubectl crosswalk
	cd e2e && CGO_ENABLED=0 $(GO) test -vet=off -run '^$$' -bench . -benchtime 1x -timeout 40m ./scale

# As a part of make test it has a twentieth of the calls, and a few of each disturbance.
.PHONY: soak
soak: ## Count lost calls among 100,000, through rollouts, certificates, CAs and reloads, for four minutes
	@cd e2e && $(BUILD) controlplane kubectl crosswalk
	cd e2e && CGO_ENABLED=0 $(GO) test -vet=off -count=1 -run '^TestSoak$$' -v -timeout 20m ./chaos

.PHONY: generate
generate: ## Write what is made from the Go types in api: copies, CRDs, OpenAPI, the editors' schema
	$(TOOL) controller-gen object paths=./api/...
	$(TOOL) controller-gen crd paths=./api/v1alpha1 output:crd:dir=deploy/chart/files/crds
	$(TOOL) openapi-gen --output-model-name-file zz_generated.model_name.go --output-file zz_generated.openapi.go \
		--output-dir internal/aggregated --output-pkg $$($(GO) list ./internal/aggregated) ./api/conversion/v1alpha1
	$(GO) run ./internal/editorschema api/v1alpha1 >bin/crosswalk.schema.json
	mv bin/crosswalk.schema.json api/v1alpha1/crosswalk.schema.json

bin:
	@mkdir -p bin
generate: | bin
