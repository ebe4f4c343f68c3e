/** The names of the pictures that a text in Markdown shows: `![shot](shot.png)`. */
export function picturesNamed(text: string): Set<string> {
  return new Set(
    [...text.matchAll(/!\[[^[\]\n]*\]\((?:<([^<>\n]+)>|([^\s()<>]+))\)/g)].map(([, angled, bare]) => (angled ?? bare)!)
  )
}

/** A name that a text can show, and that no other file of the message has. */
export function pictureName(name: string, taken: ReadonlySet<string>): string {
  const safe = name.replace(/[^\p{L}\p{N}._-]+/gu, '-').replace(/^[-.]+/, '') || 'picture.png'
  const [, stem, ending] = /^(.*?)(\.\w+)?$/.exec(safe)!
  let free = safe
  for (let count = 2; taken.has(free); count++) free = `${stem}-${count}${ending ?? ''}`
  return free
}
