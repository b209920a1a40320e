package main

import (
	"bytes"
	"os"
	"testing"
)

func TestSchemaIsCurrent(t *testing.T) {
	want, err := Generate("../../api/v1alpha1")
	if err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile("../../api/v1alpha1/crosswalk.schema.json")
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Error("api/v1alpha1/crosswalk.schema.json is not what its source says: run make generate")
	}
}
