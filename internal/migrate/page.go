package migrate

import (
	"context"
	"net/http"
	"strconv"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
)

// page is a part of the list of all objects, in the order of their keys.
type page struct {
	objects []object
	next    string // the token of the next page; empty after the last
	// remaining is the server's estimate of how many objects follow.
	remaining int64
}

// list reads a page. If the server cannot list the objects in one version, because it cannot
// convert one of them, list tries another version.
func (t *target) list(ctx context.Context, limit int, token string, newTries func() *tries) (page, error) {
	var first error
	for i, version := range t.listed {
		got, err := t.listIn(ctx, version, limit, token, newTries())
		if err == nil {
			// The next page is requested in the version that works.
			t.listed[0], t.listed[i] = t.listed[i], t.listed[0]
			return got, nil
		}
		if first == nil {
			first = err
		}
		if classify(err) != broken && classify(err) != busy {
			return page{}, err
		}
	}
	return page{}, first
}

func (t *target) listIn(ctx context.Context, version string, limit int, token string, tries *tries) (page, error) {
	query := map[string]string{"limit": strconv.Itoa(limit)}
	if token != "" {
		query["continue"] = token
	}
	var list struct {
		Metadata struct {
			Continue           string `json:"continue"`
			RemainingItemCount int64  `json:"remainingItemCount"`
		} `json:"metadata"`
		Items []metadata `json:"items"`
	}
	err := tries.persist(ctx, func() error {
		return t.client.do(ctx, request{
			method: http.MethodGet, path: t.path(version, object{}), query: query, accept: metadataListType,
		}, &list)
	})
	if err != nil {
		return page{}, err
	}
	p := page{next: list.Metadata.Continue, remaining: list.Metadata.RemainingItemCount}
	for _, item := range list.Items {
		p.objects = append(p.objects, t.object(item))
	}
	return p, nil
}

// The limits for tokens that expire without an object in between: for tokens that the server
// renews, and for all.
const (
	mostRenewed = 3
	mostExpired = 6
)

// cursor is the place of the next page in the list of all objects.
type cursor struct {
	token   string // of the page, or of an earlier one
	after   string // the last key that is done
	listed  bool   // there is no next page
	expired int    // tokens that expired since the last object
}

// nextPage reads the page at the cursor, without the objects before the cursor.
func (t *target) nextPage(ctx context.Context, limit int, at *cursor) (page, error) {
	for {
		got, err := t.list(ctx, limit, at.token, usual)
		if err == nil {
			for len(got.objects) > 0 && got.objects[0].key() <= at.after {
				got.objects = got.objects[1:]
			}
			return got, nil
		}
		fresh, recoverable := renewed(err)
		at.expired++
		if at.token == "" || !recoverable || at.expired >= mostExpired {
			return page{}, err
		}
		if at.expired > mostRenewed {
			fresh = ""
		}
		// Objects that are listed again from the start are skipped.
		at.token = fresh
	}
}

// pass moves the cursor behind a page.
func (at *cursor) pass(p page) {
	if len(p.objects) > 0 {
		at.after, at.expired = p.objects[len(p.objects)-1].key(), 0
	}
	at.token, at.listed = p.next, p.next == ""
}

// renewed returns the token to continue with after an error. A token expires with the state of
// the store that it is for, after about five minutes. Then the server offers a token that
// continues after the same key in the current state:
// https://kubernetes.io/docs/reference/using-api/api-concepts/#retrieving-large-results-sets-in-chunks
// For a token that the server cannot read at all, renewed returns none.
func renewed(err error) (token string, ok bool) {
	status, isStatus := err.(apierrors.APIStatus)
	switch {
	case !isStatus:
		return "", false
	case apierrors.IsResourceExpired(err), apierrors.IsGone(err):
		return status.Status().Continue, true
	case apierrors.IsBadRequest(err):
		return "", true
	}
	return "", false
}
