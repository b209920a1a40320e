package bom

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"net/url"
	"os"
	"regexp"
	"strings"
	"time"

	"github.com/spdx/tools-golang/spdx"
	"github.com/spdx/tools-golang/spdx/v2/common"

	"github.com/crosswalk-dev/crosswalk/internal/release/links"
	"github.com/crosswalk-dev/crosswalk/internal/release/program"
)

// SPDX writes the bill of materials of p in SPDX 2.3, as JSON:
// https://spdx.github.io/spdx-spec/v2.3/. The first of modules is the program itself.
func SPDX(p program.Program, modules []Module) ([]byte, error) {
	content, err := os.ReadFile(p.Path)
	if err != nil {
		return nil, err
	}
	sum := fmt.Sprintf("%x", sha256.Sum256(content))
	name := "crosswalk-" + p.Version + "-" + p.Slug()
	document := spdx.Document{
		SPDXVersion:    spdx.Version,
		DataLicense:    spdx.DataLicense,
		SPDXIdentifier: "DOCUMENT",
		DocumentName:   name,
		// The specification requires a URI that no other document has.
		DocumentNamespace: links.Home + "/spdx/" + url.PathEscape(name) + "-" + sum,
		CreationInfo: &spdx.CreationInfo{
			Creators: []spdx.Creator{{CreatorType: "Organization", Creator: "Crosswalk"}, {CreatorType: "Tool", Creator: "crosswalk-release"}},
			Created:  p.Time().Format(time.RFC3339),
		},
	}
	for i, m := range modules {
		pkg := packageOf(m)
		if i == 0 {
			pkg.PackageDownloadLocation = "git+" + links.Home
			pkg.PackageHomePage = links.Home
			pkg.PrimaryPackagePurpose = "APPLICATION"
			pkg.PackageChecksums = []spdx.Checksum{{Algorithm: common.SHA256, Value: sum}}
		} else {
			document.Relationships = append(document.Relationships, relation(document.Packages[0].PackageSPDXIdentifier, common.TypeRelationshipDependsOn, pkg.PackageSPDXIdentifier))
		}
		document.Packages = append(document.Packages, pkg)
	}
	document.Relationships = append([]*spdx.Relationship{
		relation("DOCUMENT", common.TypeRelationshipDescribe, document.Packages[0].PackageSPDXIdentifier),
	}, document.Relationships...)
	written, err := json.MarshalIndent(document, "", " ")
	return append(written, '\n'), err
}

func relation(from spdx.ElementID, kind string, to spdx.ElementID) *spdx.Relationship {
	return &spdx.Relationship{RefA: common.MakeDocElementID("", string(from)), Relationship: kind, RefB: common.MakeDocElementID("", string(to))}
}

// notInID matches characters that an SPDX identifier must not contain.
var notInID = regexp.MustCompile(`[^A-Za-z0-9.-]+`)

func packageOf(m Module) *spdx.Package {
	license := m.License()
	locator := "pkg:golang/" + m.Path + "@" + m.Version
	if m.Path == std {
		locator = "pkg:golang/std@" + strings.TrimPrefix(m.Version, "v")
	}
	return &spdx.Package{
		PackageName:               m.Path,
		PackageSPDXIdentifier:     spdx.ElementID("Package-" + notInID.ReplaceAllString(m.Path, "-")),
		PackageVersion:            m.Version,
		PackageDownloadLocation:   "NOASSERTION", // the purl below has it
		IsFilesAnalyzedTagPresent: true,
		PackageLicenseConcluded:   license,
		PackageLicenseDeclared:    license,
		PackageCopyrightText:      "NOASSERTION", // it is in the texts of the licences
		PackageExternalReferences: []*spdx.PackageExternalReference{{
			Category: common.CategoryPackageManager, RefType: common.TypePackageManagerPURL, Locator: locator,
		}},
	}
}
