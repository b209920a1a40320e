package hostile

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

const (
	uid    = "705ab4f5-6393-11e8-b7cc-42010a800002"
	review = `{"kind":"ConversionReview","apiVersion":"apiextensions.k8s.io/v1","request":%s}`
	cron   = `{"apiVersion":"stable.example.com/v1beta1","kind":"CronTab","metadata":{"name":"a","namespace":"default"},` +
		`"spec":{"cronSpec":"* * * * *","image":"b","hostPort":"localhost:1234","shell":"/bin/sh","replicas":3}}`
)

// request is a well-formed review of the given objects.
func request(objects ...string) string {
	return fmt.Sprintf(review, `{"uid":"`+uid+`","desiredAPIVersion":"stable.example.com/v1","objects":[`+strings.Join(objects, ",")+`]}`)
}

// makers each make one kind of body that differs from what an API server sends.
var makers = map[string]func(*rand.Rand) string{
	"empty":   func(*rand.Rand) string { return "" },
	"noise":   func(r *rand.Rand) string { return string(noise(r, r.IntN(300))) },
	"cut":     func(r *rand.Rand) string { body := request(cron, cron); return body[:r.IntN(len(body))] },
	"flipped": flipped,
	"invalid UTF-8": func(r *rand.Rand) string {
		return strings.Replace(request(cron), "/bin/sh", string([]byte{byte(0x80 + r.IntN(0x80))}), 1)
	},
	"wrong type": func(r *rand.Rand) string {
		part := pick(r, `"ConversionReview"`, `"`+uid+`"`, `"stable.example.com/v1"`, `{"name":"a","namespace":"default"}`, `"a"`,
			`"localhost:1234"`, `"CronTab"`, `"stable.example.com/v1beta1"`)
		return strings.Replace(request(cron), part, pick(r, `null`, `0`, `-1.5e300`, `true`, `[]`, `{}`, `""`, `[[{}]]`), 1)
	},
	"duplicate key": func(r *rand.Rand) string {
		member := pick(r, `"uid":"`+uid+`"`, `"kind":"CronTab"`, `"shell":"/bin/sh"`, `"kind":"ConversionReview"`)
		return strings.Replace(request(cron), member, member+","+member, 1)
	},
	"deep": func(r *rand.Rand) string {
		depth := 1 + r.IntN(20000)
		value := strings.Repeat("[", depth) + strings.Repeat("]", depth)
		if r.IntN(2) == 0 {
			value = strings.Repeat(`{"a":`, depth) + "1" + strings.Repeat("}", depth)
		}
		return strings.Replace(request(cron), `"/bin/sh"`, value, 1)
	},
	"huge number": func(r *rand.Rand) string {
		number := pick(r, "1e999999", "-1e-999999", strings.Repeat("9", 1+r.IntN(5000)), "0."+strings.Repeat("1", r.IntN(5000))+"1")
		return strings.Replace(request(cron), `"replicas":3`, `"replicas":`+number, 1)
	},
	"objects before uid": func(r *rand.Rand) string {
		return fmt.Sprintf(review, `{"objects":[`+cron+`],"desiredAPIVersion":"stable.example.com/v1","uid":"`+uid+`"}`)
	},
	"no uid": func(*rand.Rand) string { return strings.Replace(request(cron), uid, "", 1) },
	"unknown version": func(r *rand.Rand) string {
		return strings.ReplaceAll(request(cron), pick(r, "stable.example.com/v1beta1", `stable.example.com/v1"`), pick(r, "stable.example.com/v9", "v1", "", "/", "a/b/c")+`"`)
	},
	"forged stash": func(r *rand.Rand) string {
		stash := pick(r, `{`, `null`, `{\"format\":99}`, `{\"format\":1,\"entries\":[{\"at\":[\"metadata\",\"uid\"],\"value\":1}]}`,
			`{\"format\":1,\"entries\":[{\"at\":[],\"value\":0}]}`, `{\"format\":1,\"entries\":{}}`)
		return strings.Replace(request(cron), `"name":"a"`, `"name":"a","annotations":{"stash.crosswalk.dev/v1":"`+stash+`"}`, 1)
	},
	"hostile metadata": func(r *rand.Rand) string {
		return strings.Replace(request(cron), `{"name":"a","namespace":"default"}`,
			pick(r, `[]`, `"x"`, `{"annotations":[]}`, `{"annotations":{"a":1}}`, `{"labels":{"a":null}}`, `{"annotations":null}`), 1)
	},
	"many objects": func(r *rand.Rand) string {
		objects := make([]string, 1+r.IntN(200))
		for i := range objects {
			objects[i] = pick(r, cron, `{}`, `null`, `1`, `"x"`, `[]`)
		}
		return request(objects...)
	},
}

// flipped is a good review with a few bytes changed.
func flipped(r *rand.Rand) string {
	body := []byte(request(cron))
	for range 1 + r.IntN(4) {
		body[r.IntN(len(body))] = byte(r.IntN(256))
	}
	return string(body)
}

func noise(r *rand.Rand, n int) []byte {
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(r.IntN(256))
	}
	return b
}

func pick(r *rand.Rand, from ...string) string { return from[r.IntN(len(from))] }
