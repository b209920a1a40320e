package bulk

import (
	"context"
	"net/http"
	"strconv"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/utils/ptr"
)

// List lists all objects of a resource, in the order of their keys. T is what is read of each.
type List[T any] struct {
	Client *Client
	// Path returns the path of the list in a version.
	Path func(version string) string
	// Versions are the versions in which the list can be read. All have the same objects. Next
	// moves one that works to the front.
	Versions []string
	// Accept is the media type of the list.
	Accept string
	// Key returns the key of an object: its name, or NAMESPACE/NAME.
	Key func(T) string
}

// Page is a part of a list.
type Page[T any] struct {
	Items []T
	// Version is the version of the items.
	Version string
	// Remaining is the server's estimate of how many objects follow.
	Remaining int64
	next      string // the token of the next page; empty after the last
}

// First reads the first objects.
func (l *List[T]) First(ctx context.Context, limit int, tries func() *Tries) (Page[T], error) {
	return l.page(ctx, limit, "", tries)
}

// page reads a page. If the server cannot list the objects in one version, because it cannot
// convert one of them, page tries another version.
func (l *List[T]) page(ctx context.Context, limit int, token string, tries func() *Tries) (Page[T], error) {
	var first error
	for i, version := range l.Versions {
		got, err := l.pageIn(ctx, version, limit, token, tries())
		if err == nil {
			// The next page is requested in the version that works.
			l.Versions[0], l.Versions[i] = l.Versions[i], l.Versions[0]
			return got, nil
		}
		if first == nil {
			first = err
		}
		if kind := Classify(err); kind != Broken && kind != Busy {
			return Page[T]{}, err
		}
	}
	return Page[T]{}, first
}

func (l *List[T]) pageIn(ctx context.Context, version string, limit int, token string, tries *Tries) (Page[T], error) {
	query := map[string]string{"limit": strconv.Itoa(limit)}
	if token != "" {
		query["continue"] = token
	}
	var list struct {
		Metadata metav1.ListMeta `json:"metadata"`
		Items    []T             `json:"items"`
	}
	err := tries.Persist(ctx, func() error {
		return l.Client.Do(ctx, Request{Method: http.MethodGet, Path: l.Path(version), Query: query, Accept: l.Accept}, &list)
	})
	if err != nil {
		return Page[T]{}, err
	}
	return Page[T]{list.Items, version, ptr.Deref(list.Metadata.RemainingItemCount, 0), list.Metadata.Continue}, nil
}

// The limits for tokens that expire without an object in between: for tokens that the server
// renews, and for all.
const (
	mostRenewed = 3
	mostExpired = 6
)

// Cursor is the place of the next page in a list.
type Cursor struct {
	// Token is the token of the page, or of an earlier one.
	Token string
	// After is the last key that is done.
	After string
	// Listed reports that there is no next page.
	Listed  bool
	expired int // tokens that expired since the last object
}

// Next reads the page at a cursor, without the objects before the cursor.
func (l *List[T]) Next(ctx context.Context, limit int, at *Cursor) (Page[T], error) {
	for {
		got, err := l.page(ctx, limit, at.Token, Usual)
		if err == nil {
			for len(got.Items) > 0 && l.Key(got.Items[0]) <= at.After {
				got.Items = got.Items[1:]
			}
			return got, nil
		}
		fresh, recoverable := renewed(err)
		at.expired++
		if at.Token == "" || !recoverable || at.expired >= mostExpired {
			return Page[T]{}, err
		}
		if at.expired > mostRenewed {
			fresh = ""
		}
		// Objects that are listed again from the start are skipped.
		at.Token = fresh
	}
}

// Pass moves a cursor behind a page.
func (l *List[T]) Pass(at *Cursor, p Page[T]) {
	if len(p.Items) > 0 {
		at.After, at.expired = l.Key(p.Items[len(p.Items)-1]), 0
	}
	at.Token, at.Listed = p.next, p.next == ""
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
