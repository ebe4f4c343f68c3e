type Tag = string | number

const kinds = ['add_tags', 'remove_tags'] as const

/** The tags that an action of a macro or a rule names. */
export function tagsInAction(action: object): readonly Tag[] {
  return Object.entries(action).flatMap(([kind, value]) => (namesTags(kind) ? (value as Tag[]) : []))
}

/** The same actions with other tags; none is named twice in one. */
export function withTagsInActions<A extends object>(actions: readonly A[], change: (tag: Tag) => Tag): A[] {
  return actions.map(action => {
    const changed = Object.entries(action).map(([kind, value]) =>
      namesTags(kind) ? [kind, [...new Set((value as Tag[]).map(change))]] : [kind, value]
    )
    return Object.fromEntries(changed) as A
  })
}

function namesTags(kind: string): boolean {
  return kinds.some(each => each === kind)
}
