import { linkPieces, quoteParts } from '../lib/safe-links.ts'
import { t } from '../lib/strings.ts'
import './message-text.css'

/** What somebody wrote, as text: line breaks, links that are safe, its own direction; quoted mail is folded. Never HTML. */
export function MessageText({ text }: { text: string }) {
  const { own, quoted } = quoteParts(text)
  return (
    <div className="message-text" dir="auto">
      <Paragraphs text={own} />
      {quoted && (
        <details>
          <summary>{t('ui.earlierText')}</summary>
          <Paragraphs text={quoted} />
        </details>
      )}
    </div>
  )
}

function Paragraphs({ text }: { text: string }) {
  const paragraphs = text.split(/\n{2,}/)
  // biome-ignore lint/suspicious/noArrayIndexKey: the paragraphs of a message do not move.
  return paragraphs.map((paragraph, index) => <p key={index}>{linked(paragraph)}</p>)
}

function linked(text: string) {
  return linkPieces(text).map((piece, index) =>
    piece.href ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: neither do the pieces of a paragraph.
      <a key={index} href={piece.href} rel="noopener nofollow noreferrer" target="_blank">
        {piece.text}
      </a>
    ) : (
      piece.text
    )
  )
}
