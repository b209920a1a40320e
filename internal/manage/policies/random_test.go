package policies

import (
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/crosswalk-dev/crosswalk/api/v1alpha1"
	"github.com/crosswalk-dev/crosswalk/internal/manage/webhooks"
)

// Whatever happens, a policy that is registered and not deleted is in exactly one
// webhook after every write.
func TestNeverNoneNeverTwo(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 6))
	s := newStage(t)
	names := []string{"a", "b", "c", "d"}
	forms := []string{"", "failurePolicy: Ignore", "validations: [{expression: object.}]", "matchConditions: [{name: a, expression: 'true'}]", "validations: [{expression: 'false'}]"}
	there, told := map[string]bool{}, map[string]string{} // the webhook that asks
	moves := 0
	for range 120 {
		name := names[random.IntN(len(names))]
		switch p := validation(t, name, forms[random.IntN(len(forms))]); random.IntN(6) {
		case 0, 1:
			s.put(p)
			there[name] = true
		case 2, 3:
			for name := range there {
				now := new(v1alpha1.ValidationPolicy)
				if err := s.client.Get(t.Context(), client.ObjectKey{Name: name}, now); err != nil {
					t.Fatal(err)
				}
				s.learn(now)
			}
		case 4:
			if there[name] && random.IntN(3) == 0 {
				if err := s.client.Delete(t.Context(), p); err != nil {
					t.Fatal(err)
				}
				delete(there, name)
				delete(told, name)
			}
		default:
			s.start() // a new leader
		}
		s.clock = s.clock.Add(time.Duration(random.IntN(30)) * time.Second)
		s.pass()
		sides, err := webhooks.Read(t.Context(), s.client, Names())
		if err != nil {
			t.Fatal(err)
		}
		asked := map[string][]string{}
		for _, w := range sides[validating].Webhooks {
			if isAboutScaling(w.Name) {
				continue
			}
			for _, name := range namesIn(w.Client, ValidatePath) {
				asked[name] = append(asked[name], w.Name)
			}
		}
		for _, name := range names {
			now, before := strings.Join(asked[name], " "), told[name]
			if len(asked[name]) > 1 || now != "" && !there[name] || before != "" && now == "" {
				t.Fatalf("%s is asked for by %q, before by %q; it is there: %v", name, now, before, there[name])
			}
			if before != "" && before != now {
				moves++
			}
			told[name] = now
		}
	}
	if moves < 10 {
		t.Errorf("only %d moves", moves)
	}
}
