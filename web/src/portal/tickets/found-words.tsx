/** A snippet as the search gives it: what it found stands between ⟦ and ⟧. It is text, whatever is in it. */
export function FoundWords({ text }: { text: string }) {
  return text.split('⟦').map((part, at) => {
    const [found, after] = at === 0 ? ['', part] : parted(part)
    return (
      // biome-ignore lint/suspicious/noArrayIndexKey: the parts of one text have no other name.
      <span key={at}>
        {found && <mark>{found}</mark>}
        {after}
      </span>
    )
  })
}

function parted(part: string): [string, string] {
  const end = part.indexOf('⟧')
  return end < 0 ? ['', part] : [part.slice(0, end), part.slice(end + 1)]
}
