import assert from 'node:assert/strict'
import { test } from 'node:test'
import { xssInHtml } from '../../../test/support/xss-payloads.ts'
import { cleanHtml } from './html.ts'

const forbidden = [
  /<\/?(script|style|svg|math|iframe|object|embed|link|meta|base|form|input|button|template|noscript|video|audio|source|body|marquee)\b/i,
  /<[^>]*\s(on\w+|srcset|background|formaction|srcdoc|action)\s*=/i,
  /<[^>]*\s(href|src)\s*=\s*"\s*(?!https?:|mailto:|tel:|cid:)[^"]+"/i,
  /<img[^>]*\ssrc="(?!cid:)/i,
  /<[^>]*\sstyle="[^"]*(url|expression|position|@import|javascript)/i
]

test('none of the attacks of the public lists comes through in an e-mail', () => {
  for (const attack of xssInHtml) {
    const { html } = cleanHtml(`<p>before</p>${attack}<p>after</p>`)

    for (const pattern of forbidden) assert.doesNotMatch(html, pattern, attack)
  }
})
