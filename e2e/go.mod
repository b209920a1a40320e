module github.com/crosswalk-dev/crosswalk/e2e

go 1.26.8

replace github.com/crosswalk-dev/crosswalk => ../
