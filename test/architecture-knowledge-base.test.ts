import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'

// Whoever reads articles goes through `visibleTexts` or `visibleArticles` (src/help/articles/visibility.ts). What else names their tables stands
// here with its reason.
const others: Record<string, string> = {
  'types them': 'src/core/tables/knowledge-base.ts',
  'writes, for staff who may': `
    src/help/articles/ask-for-publishing.ts src/help/articles/change-articles.ts src/help/articles/change-categories.ts src/help/articles/publish-articles.ts
    src/help/articles/versions.ts src/help/articles/write-texts.ts`,
  'makes their words anew': 'src/tickets/search/language.ts src/tickets/search/rebuild.ts',
  'names what the audit log tells admins of': 'src/core/audit/target-names.ts'
}
const tables = /\bkb_(articles|texts|versions|slugs)\b/

const root = join(import.meta.dirname, '..')
const files = globSync('src/**/*.ts', { cwd: root })
  .filter(path => !path.endsWith('.test.ts'))
  .map(path => ({ path, text: readFileSync(join(root, path), 'utf8') }))

test('K1 every statement that reads articles goes through the one predicate of who sees them', () => {
  const naming = files.filter(({ text }) => tables.test(text))
  const without = naming
    .filter(({ text }) => !/\bvisible(Texts|BestTexts|Articles)\(db, p\)/.test(text))
    .map(({ path }) => path)

  assert.deepEqual(
    without.toSorted(),
    Object.values(others)
      .flatMap(paths => paths.trim().split(/\s+/))
      .toSorted()
  )
  // Where a file has several statements, each begins with it.
  for (const { path, text } of naming.filter(
    ({ path }) => !without.includes(path) && !path.endsWith('/visibility.ts')
  )) {
    assert.doesNotMatch(text, /\.selectFrom\('kb_(articles|versions)/, path)
  }
})

test('K1 only the predicate compares an audience in SQL', () => {
  const comparing = files.filter(({ text }) => /::kb_audience/.test(text)).map(({ path }) => path)

  assert.deepEqual(comparing, ['src/help/articles/visibility.ts'])
})
