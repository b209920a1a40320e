package injection

import (
	"context"
	"fmt"
	"strings"

	authenticationv1 "k8s.io/api/authentication/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
)

// consent returns how the owner of a Secret lets us read it: a Role and its binding, as
// commands.
func (i *Injector) consent(ctx context.Context, secret types.NamespacedName) (string, error) {
	subject, err := i.subject(ctx)
	if err != nil {
		return "", err
	}
	const longest = 40 // of a Secret's name in that of its Role: an Event has little room
	role := "crosswalk-reads-" + secret.Name[:min(len(secret.Name), longest)]
	return fmt.Sprintf("Crosswalk may not read the Secret that the annotation names; its owner can allow it with "+
		"`kubectl create role %s -n %s --verb=get,list,watch --resource=secrets --resource-name=%s` and "+
		"`kubectl create rolebinding %s -n %s --role=%s %s`; the Secret needs only ca.crt",
		role, secret.Namespace, secret.Name, role, secret.Namespace, role, subject), nil
}

// subject returns who we are, as a flag of kubectl create rolebinding.
func (i *Injector) subject(ctx context.Context) (string, error) {
	review, err := i.identity.SelfSubjectReviews().Create(ctx, &authenticationv1.SelfSubjectReview{}, metav1.CreateOptions{})
	if err != nil {
		return "", fmt.Errorf("asking the API server for our own identity: %w", err)
	}
	user := review.Status.UserInfo.Username
	if account, is := strings.CutPrefix(user, "system:serviceaccount:"); is {
		return "--serviceaccount=" + account, nil
	}
	return "--user=" + user, nil
}
