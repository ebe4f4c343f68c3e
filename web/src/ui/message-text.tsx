import { Fragment, type ReactNode } from 'react'
import { linkPieces, quoteParts } from '../lib/safe-links.ts'
import { t } from '../lib/strings.ts'
import './message-text.css'

/** What somebody wrote, as text: line breaks, links that are safe, its own direction; quoted mail is folded. Never HTML. */
export function MessageText({ text, mark = asIs }: { text: string; mark?: Mark }) {
  const { own, quoted } = quoteParts(text)
  return (
    <div className="message-text" dir="auto">
      <Paragraphs text={own} mark={mark} />
      {quoted && (
        <details>
          <summary>{t('ui.earlierText')}</summary>
          <Paragraphs text={quoted} mark={mark} />
        </details>
      )}
    </div>
  )
}

/** What becomes of a piece of the text that is no link: mentions and found words are told apart by it. */
type Mark = (piece: string) => ReactNode

function asIs(piece: string): ReactNode {
  return piece
}

function Paragraphs({ text, mark }: { text: string; mark: Mark }) {
  const paragraphs = text.split(/\n{2,}/)
  // biome-ignore lint/suspicious/noArrayIndexKey: the paragraphs of a message do not move.
  return paragraphs.map((paragraph, index) => <p key={index}>{linked(paragraph, mark)}</p>)
}

function linked(text: string, mark: Mark) {
  return linkPieces(text).map((piece, index) =>
    piece.href ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: neither do the pieces of a paragraph.
      <a key={index} href={piece.href} rel="noopener nofollow noreferrer" target="_blank">
        {piece.text}
      </a>
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: see above.
      <Fragment key={index}>{mark(piece.text)}</Fragment>
    )
  )
}
