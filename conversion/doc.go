// Package conversion converts custom resources between their versions with a table, and loses
// nothing.
//
// [Compile] returns a [Converter] for a CRD and its Crosswalk. Convert takes the bytes of an
// object in one version and returns the bytes of the same object in another. Values that the
// other version can't represent are kept in annotations. [Strip] removes these annotations
// permanently.
//
// docs/architecture.md describes how it works, with an example. These are the words of the code,
// here and in the packages inside:
//
//   - address: the steps from the whole object to the place of an entry. In a list they name the
//     element, by its key or by its content.
//   - alternative: one of several objects that a discriminator chooses between ("variant").
//   - complement: everything of an object that another version can't represent.
//   - computed: of a value that a row does not copy byte for byte.
//   - counterpart, twin: the place of the other version for the same object.
//   - default: what the API server writes for an absent field. The two are one value.
//   - element: a value in a list, or in a map with free keys.
//   - entry: what is kept for one place: its address, and a value, an absence or an order.
//   - exact: of a conversion, or a row, after which converting back gives the same again.
//   - fade: of fields that some table drops. A trip through its version loses them, which is no edit.
//   - guard: the hash of what is made at a place and what its row reads. The entry for the place is
//     valid while the guard is the same.
//   - hub: the version that all others are mapped to. A spoke is any of these.
//   - implied: of a default that the conversion adds because the API server would.
//   - kept: in the stash, because the other version can't represent it.
//   - key: what identifies an element of a list: some of its fields.
//   - mark: a short hash of the rows and schemas between two versions. An entry has that of the
//     table that has written it.
//   - order: an entry for a list, with the elements that the other version lacks, and the ranks of
//     the others if they are made in another order.
//   - owner: the version whose values a stash has.
//   - part: the elements of a list for which a condition holds ("where").
//   - place: a field of a version, or each element of a list, wherever the list is.
//   - plan: for every place of two versions, what becomes of it; made of the rows.
//   - private: of a place that the other version lacks and that no row names.
//   - rank: the position of an element among those that a conversion makes.
//   - row: what a table says about places that correspond.
//   - scope: a pair of values, one of each version, inside which rows apply: the whole objects, or
//     two elements.
//   - shared: of a place that both versions have at the same path and that no row names. It is
//     copied.
//   - side: the spoke, or the hub, of a plan.
//   - source: the object that is converted.
//   - stash: the annotation with the entries of one owner.
//   - step: a conversion between a spoke and the hub, with everything kept and restored.
//   - there, back: the conversion to the other version, and the one from there.
//   - unplaced: of an entry of an earlier table for which this table has no place.
//   - view: the source in the other version.
//   - way: what converts both ways by itself and may lose something: the engine with a plan, or Go code.
package conversion
