package v1alpha1_test

import (
	"fmt"

	"k8s.io/apimachinery/pkg/runtime"
	"sigs.k8s.io/yaml"

	"github.com/crosswalk-dev/crosswalk/api/conversion/v1alpha1"
)

// A Conversion asks for an object in another version. Creating it gives the answer in
// its status; kubectl create -f does the same with what is printed here.
func Example() {
	question := &v1alpha1.Conversion{Spec: v1alpha1.ConversionSpec{
		Object: runtime.RawExtension{Raw: []byte(
			`{"apiVersion":"stable.example.com/v1beta1","kind":"CronTab","metadata":{"name":"nightly"},"spec":{"hostPort":"localhost:1234"}}`)},
		Version: "v1",
	}}
	question.SetGroupVersionKind(v1alpha1.GroupVersion().WithKind(v1alpha1.KindConversion))
	text, err := yaml.Marshal(question)
	if err != nil {
		panic(err)
	}
	fmt.Print(string(text))
	// Output:
	// apiVersion: conversion.crosswalk.dev/v1alpha1
	// kind: Conversion
	// metadata: {}
	// spec:
	//   object:
	//     apiVersion: stable.example.com/v1beta1
	//     kind: CronTab
	//     metadata:
	//       name: nightly
	//     spec:
	//       hostPort: localhost:1234
	//   version: v1
}
