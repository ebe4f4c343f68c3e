import { isUtf8 } from 'node:buffer'

const sampleBytes = 20_000
/** How much of a text may be broken UTF-8 before it counts as another charset. */
const mostlyUtf8 = 2

/** The likely charset of bytes with a missing or wrong label. */
export function likelyCharset(bytes: Uint8Array): string {
  if (isUtf8(bytes) || isMostlyUtf8(bytes)) return 'utf-8'
  const sample = bytes.subarray(0, sampleBytes)
  const slavic = cyrillic(sample)
  if (slavic) return slavic
  let best = 'windows-1252'
  let bestScore = 0
  for (const charset of ['shift_jis', 'euc-jp', 'gb18030', 'big5', 'euc-kr']) {
    const score = scoreOfMany(sample, charset)
    if (score > bestScore) [best, bestScore] = [charset, score]
  }
  return best
}

function isMostlyUtf8(bytes: Uint8Array): boolean {
  const text = new TextDecoder().decode(bytes.subarray(0, sampleBytes))
  let broken = 0
  let whole = 0
  for (const character of text) {
    if (character === '\ufffd') broken++
    else if (character > '\x7f') whole++
  }
  return whole > broken * mostlyUtf8
}

/** 0 unless it is text in that charset; common characters raise the score. */
function scoreOfMany(sample: Uint8Array, charset: string): number {
  const text = new TextDecoder(charset).decode(sample)
  let score = 0
  let foreign = 0
  let pairs = 0
  for (const character of text) {
    const code = character.codePointAt(0)!
    if (code === 0xfffd) foreign += 3
    else if (code >= 0x3040 && code < 0x3100) score += charset === 'gb18030' || charset === 'big5' ? 0.2 : 3
    else if (code >= 0xac00 && code < 0xd7a4) score += 3
    else if (code >= 0x4e00 && code < 0x9fff) {
      score += common.has(character) ? 3 : 0.6
      pairs++
    } else if (code >= 0xff61 && code < 0xffa0) foreign += 0.6
    else if (code >= 0x80 && code < 0x3000) foreign += 0.8
    else if (code >= 0x9fff && code !== 0xff0c && code !== 0xff1a && code !== 0xff01 && code !== 0xff1f) foreign += 0.5
  }
  const high = sample.filter(byte => byte >= 0x80).length
  // Western text has single high bytes between letters, which these charsets would read as pairs.
  const pairsWithAscii = countPairsWithAscii(sample)
  if (pairsWithAscii * 2 > high && charset !== 'shift_jis') return 0
  if (pairs === 0 && score === 0) return 0
  // Chinese characters within a Latin word count against a charset too: "Håvard" has none.
  if (withinWords(text) * 2 > pairs) return 0
  return score > foreign * 2 && score * 2 > high * 0.6 ? (score - foreign) / Math.max(1, [...text].length) : 0
}

/** Counts the characters, or runs of them, beside a Latin letter. */
function withinWords(text: string): number {
  return text.match(/[A-Za-z][\u4e00-\u9fff]+|[\u4e00-\u9fff]+[A-Za-z]/g)?.length ?? 0
}

function countPairsWithAscii(sample: Uint8Array): number {
  let count = 0
  for (let at = 0; at < sample.length; at++) {
    if (sample[at]! < 0x80) continue
    const next = sample[at + 1] ?? 0
    if (next < 0x80) count++
    else at++
  }
  return count
}

const common = new Set(
  '的一是不了在人有我他这個们中来上大為和国地到以说時要就出会可也你对生能而子那得于着下自之年過发后作里日本年月時分件名様会社宜願致送信返信株式私何見' +
    '这个时为国说对过发后里请问题谢您好邮件无法使用打印机電話問題請謝謝您好郵件無法訂單订单帮助'
)

/** Cyrillic words have only high bytes, mostly lower-case letters, which the two charsets place differently. */
function cyrillic(sample: Uint8Array): string | undefined {
  let characters = 0
  let inWords = 0
  let lower1251 = 0
  let lowerKoi8 = 0
  for (let at = 0; at < sample.length; at++) {
    const byte = sample[at]!
    if (byte < 0xc0) continue
    characters++
    if ((sample[at - 1] ?? 0) >= 0xc0 || (sample[at + 1] ?? 0) >= 0xc0) inWords++
    if (byte >= 0xe0) lower1251++
    else lowerKoi8++
  }
  const high = sample.reduce((count, byte) => count + (byte >= 0x80 ? 1 : 0), 0)
  if (characters < 4 || inWords < characters * 0.8 || characters < high * 0.8) return undefined
  if (Math.max(lower1251, lowerKoi8) < characters * 0.75) return undefined
  return lower1251 >= lowerKoi8 ? 'windows-1251' : 'koi8-r'
}
