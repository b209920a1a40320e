// Package compile makes a plan of the rows between a version and the hub, or reports what is wrong with them.
//
// [Build] compiles one version in this order. Each step is in the file of its name:
//
//	tables      replaces the names of tables by their rows
//	claims      reads the paths of rows; claim has, for each field, the row that names it
//	shape       reports what is wrong with a row whatever the schemas are
//	rows        builds the rows, each with its mapping: see mapping.go for the list
//	pair        pairs the objects of the two versions, and decides about each field in them:
//	            place for a field that a row names, same for one that both versions have,
//	            private for one that only one version has
//	finish      sets what follows from all that: fills, indexes, keys
//
// The elements of lists and maps (collection) are scopes of their own, and are compiled in the same way.
//
// Problems and warnings that concern one mapping are in its file. Those that concern several are in enums
// (values that the other version does not allow), required and made (fields that a version requires), unmet,
// unlike, unnamed, units and missing. remedy, suggest and one_row find out what to do about them. After a
// problem, compilation goes on, and rejected avoids problems that only follow from it.
package compile
