import { expectAccessibleInEachWindow } from '../support/axe.ts'
import { type Desk, expect, test } from '../support/test.ts'

/** A category with a published article in English. */
async function anArticle(desk: Desk, title: string, category = `Inverters ${title}`) {
  const made = await desk.post(
    '/api/admin/kb/categories/create',
    { name: { en: category }, audience: 'public' },
    desk.admin
  )
  const texts = { en: { title, markdown: '# Try this first\n\nWait **two** minutes.' } }
  const { article } = await desk.post(
    '/api/admin/kb/articles/create',
    { category_id: made.category.id, texts },
    desk.admin
  )
  await desk.post('/api/admin/kb/articles/publish', { id: article.id }, desk.admin)
  return { id: article.id, category: made.category }
}

test('an admin creates a category, writes an article with a preview, saves a draft and publishes it', async ({
  desk,
  consolePage: page
}) => {
  await page.goto('/desk/all')
  await page.getByRole('link', { name: 'Knowledge base' }).click()
  await page.getByRole('button', { name: 'New', exact: true }).click()
  await page.getByRole('menuitem', { name: 'New category' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name (English)').fill('Storage')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('button', { name: 'Actions for Storage' }).click()
  await page.getByRole('menuitem', { name: 'New article here' }).click()

  await page.getByLabel('Title', { exact: true }).fill('The battery stays empty')
  await page.getByLabel('Text (Markdown)').fill('# Look first\n\nIs the **switch** on?')
  const preview = page.getByRole('region', { name: 'As readers see it' })
  await expect(preview.getByRole('heading', { name: 'Look first' })).toBeVisible()
  await page.getByRole('button', { name: 'Other ways to save' }).click()
  await page.getByRole('menuitem', { name: 'Save draft' }).click()
  await expect(page).toHaveURL(/\/knowledge\/\d+/)
  await expect(page.getByLabel('Address')).toHaveValue('the-battery-stays-empty')
  const row = page.getByRole('link', { name: /The battery stays empty/ })
  await expect(row).toContainText('Draft')

  await page.getByLabel('Text (Markdown)').fill('Is the switch on? It is grey.')
  await page.getByRole('button', { name: 'Publish', exact: true }).click()
  await expect(row).not.toContainText('Draft')
  const id = Number(/knowledge\/(\d+)/.exec(page.url())![1])
  const { article } = await desk.post('/api/kb/article', { id })
  expect(article.html).toContain('It is grey.')
})

test('a change of audience shows what it does first, and a former version comes back as a draft', async ({
  desk,
  consolePage: page
}) => {
  const { id } = await anArticle(desk, 'What E-042 means')
  await desk.post('/api/admin/kb/articles/update', { id, texts: { en: { markdown: 'Newer words.' } } }, desk.admin)
  await page.goto(`/desk/knowledge/${id}`)
  await expect(page.getByText('Public, because of Inverters What E-042 means')).toBeVisible()
  await page.getByRole('button', { name: 'Who may read it' }).click()
  await page.getByRole('menuitemcheckbox', { name: 'Only staff' }).click()
  await expect(page.getByRole('dialog').getByText('Fewer people will see one article.')).toBeVisible()
  await page.getByRole('dialog').getByRole('button', { name: 'Change audience' }).click()
  await expect(page.getByText('Only staff, set by this article')).toBeVisible()

  await page.getByRole('button', { name: 'Versions' }).click()
  await page.getByRole('button', { name: /^Version 1/ }).click()
  await page.getByRole('button', { name: 'Restore as a draft' }).click()
  await expect(page.getByLabel('Text (Markdown)')).toHaveValue(/Try this first/)
})

test('what a colleague saved meanwhile stands beside one’s own text, and one chooses', async ({
  desk,
  consolePage: page
}) => {
  const { id } = await anArticle(desk, 'Two people write')
  await page.goto(`/desk/knowledge/${id}`)
  const theySave = (markdown: string) =>
    desk.post('/api/admin/kb/articles/update', { id, texts: { en: { markdown } } }, desk.admin)
  const now = async () =>
    (await desk.post('/api/admin/kb/articles/detail', { id }, desk.admin)).article.texts.en!.markdown
  const text = page.getByLabel('Text (Markdown)')
  await text.fill('Mine.')
  await theySave('Theirs.')
  await page.getByRole('button', { name: 'Publish changes' }).click()
  const both = page.getByRole('dialog', { name: 'There are two texts now' })
  await expect(both.getByRole('region', { name: /saved$/ }).first()).toContainText('Theirs.')
  await expect(both.getByRole('region', { name: 'Yours, not saved' })).toContainText('Mine.')
  await expectAccessibleInEachWindow(page, 'both texts')
  expect(await now()).toBe('Theirs.')
  await both.getByRole('button', { name: 'Save mine over it' }).click()
  await expect(both).toHaveCount(0)
  expect(await now()).toBe('Mine.')

  await text.fill('Mine again.')
  await theySave('Theirs again.')
  await page.getByRole('button', { name: 'Publish changes' }).click()
  await both.getByRole('button', { name: 'Go on writing mine' }).click()
  await expect(text).toHaveValue('Mine again.')
  await page.getByRole('button', { name: 'Publish changes' }).click()
  const heads = await both.getByRole('heading', { level: 3 }).evaluateAll(all => all.map(head => head.clientHeight))
  expect(Math.max(...heads)).toBeLessThanOrEqual(20)
  await both.getByRole('button', { name: 'Take theirs' }).click()
  await expect(text).toHaveValue('Theirs again.')
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(text).toHaveValue('Mine again.')
  await page.getByRole('button', { name: 'Publish changes' }).click()
  await expect.poll(now).toBe('Mine again.')
})

test('the bar and the keys of the editor put Markdown around what is selected, and Ctrl Z takes it back', async ({
  desk,
  consolePage: page
}) => {
  const { id } = await anArticle(desk, 'Formatted words')
  await page.goto(`/desk/knowledge/${id}`)
  const text = page.getByLabel('Text (Markdown)')
  const bar = page.getByRole('toolbar', { name: 'Formatting' })
  await text.fill('red')
  await text.press('Control+a')
  await bar.getByRole('button', { name: 'Bold' }).click()
  await expect(text).toHaveValue('**red**')
  await expect(bar.getByRole('button', { name: 'Bold' })).toHaveAttribute('aria-pressed', 'true')
  await text.press('Control+b')
  await expect(text).toHaveValue('red')
  await text.press('Control+i')
  await expect(text).toHaveValue('*red*')
  await text.press('Control+z')
  await expect(text).toHaveValue('red')

  await text.press('Control+a')
  await text.press('Control+Shift+8')
  await text.press('End')
  await text.press('Enter')
  await page.keyboard.type('blue')
  await expect(text).toHaveValue('- red\n- blue')
  await bar.getByRole('button', { name: 'Heading' }).click()
  await expect(text).toHaveValue('- red\n## blue')
  await text.press('Control+z')
  await expect(text).toHaveValue('- red\n- blue')
  await text.press('Control+End')

  await text.press('Shift+Control+ArrowLeft')
  await text.press('Control+Shift+k')
  await page.getByLabel('Address of the link').fill('/help/en')
  await page.keyboard.press('Enter')
  await expect(text).toHaveValue('- red\n- [blue](/help/en)')
  await expect(text).toBeFocused()
  await text.press('Control+Shift+f')
  await expect(bar.getByRole('button', { name: 'Bold' })).toBeFocused()
  await page.keyboard.press('ArrowRight')
  await expect(bar.getByRole('button', { name: 'Italic' })).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(text).toBeFocused()
  await expectAccessibleInEachWindow(page, 'the bar of the article editor')
})

test('K11: pictures come by button, paste and drop, with a description, and what is refused says why', async ({
  desk,
  consolePage: page
}) => {
  const { id } = await anArticle(desk, 'With pictures')
  await page.goto(`/desk/knowledge/${id}`)
  const text = page.getByLabel('Text (Markdown)')
  const chooser = page.locator('.markdown-field input[type=file]')
  await text.fill('Look:')
  await chooser.setInputFiles({ name: 'relay.png', mimeType: 'image/png', buffer: pixel })
  await expect(text).toHaveValue(/^Look:\n\n!\[relay\]\(\/help\/files\/[0-9a-f]{32}\.png\)$/)
  const shown = page.getByRole('region', { name: 'As readers see it' }).getByRole('img', { name: 'relay' })
  await expect(shown).toBeVisible()
  await expect.poll(() => shown.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(1)
  await page.getByRole('button', { name: 'Description' }).click()
  await page.getByLabel('Description for those who do not see it').fill('The grey relay')
  await page.keyboard.press('Enter')
  await expect(text).toHaveValue(/!\[The grey relay\]\(/)

  await text.fill('')
  for (const way of ['paste', 'drop'] as const) {
    await text.evaluate(
      (area, { way, bytes }) => {
        const data = new DataTransfer()
        data.items.add(new File([new Uint8Array(bytes)], 'image.png', { type: 'image/png' }))
        const init = { bubbles: true, cancelable: true }
        area.dispatchEvent(
          way === 'paste'
            ? new ClipboardEvent('paste', { ...init, clipboardData: data })
            : new DragEvent('drop', { ...init, dataTransfer: data })
        )
      },
      { way, bytes: [...pixel] }
    )
    await expect(text).toHaveValue(way === 'paste' ? /^!\[screenshot-[\d-]+\]\(.*\)$/ : /\)\s*!\[image\]\(.*\)$/)
  }

  await chooser.setInputFiles([
    { name: 'plan.pdf', mimeType: 'application/pdf', buffer: Buffer.from('%PDF-1.7') },
    { name: 'large.png', mimeType: 'image/png', buffer: Buffer.alloc(2 * 1024 * 1024 + 1) },
    { name: 'false.png', mimeType: 'image/png', buffer: Buffer.from('no picture') }
  ])
  const alert = page.getByRole('alert')
  await expect(alert).toContainText('plan.pdf is no picture that can be shown')
  await expect(alert).toContainText('large.png is too large: a picture has at most 2 MB.')
  await expect(alert).toContainText('false.png was not uploaded. It is no PNG, JPEG, WebP or GIF picture.')
  await alert.getByRole('button', { name: 'Close' }).click()
  await expect(alert).toHaveCount(0)
})

const pixel = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64'
)

test('who else has an article open is shown, and who writes it', async ({ desk, consolePage: page, pageOf }) => {
  const { id } = await anArticle(desk, 'Two people look')
  const grace = await desk.supporter(['tickets.reply'])
  const hers = await pageOf(grace)
  await page.goto(`/desk/knowledge/${id}`)
  await expect(page.getByLabel('Text (Markdown)')).toBeVisible()
  await hers.goto(`/desk/knowledge/${id}`)
  const line = page.locator('[data-presence]')
  await expect(line).toHaveText(/has it open$/)
  await hers.getByLabel('Text (Markdown)').fill('Hers.')
  await expect(line).toHaveText(/is writing$/)
  await hers.close()
  await expect(line).toHaveCount(0)
})

test('Explains: staff try a search of the help centre as a client, as anybody, and as themselves', async ({
  desk,
  consolePage: page
}) => {
  const word = `Anode${Math.random().toString(36).slice(2, 8)}`
  const { id } = await anArticle(desk, `${word} for all`)
  const forClients = await anArticle(desk, `${word} for clients`)
  const forStaff = await anArticle(desk, `${word} for us`)
  const narrow = (id: number, audience: 'clients' | 'staff') =>
    desk.post('/api/admin/kb/articles/update', { id, audience }, desk.admin)
  await narrow(forClients.id, 'clients')
  await narrow(forStaff.id, 'staff')
  await page.goto(`/desk/knowledge/${forStaff.id}`)
  await page.getByRole('button', { name: 'Try a search as a reader' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Words that a reader types').fill(word)
  await expect(dialog.getByRole('status')).toHaveText('As a client: 2 articles')
  await expect(dialog.getByRole('link')).toHaveText([`${word} for clients`, `${word} for all`])
  await dialog.getByText('As anybody').click()
  await expect(dialog.getByRole('link')).toHaveText([`${word} for all`])
  await dialog.getByText('As staff').click()
  await expect(dialog.getByRole('link')).toHaveCount(3)
  await expectAccessibleInEachWindow(page, 'try a search')
  await dialog.getByRole('link', { name: `${word} for all` }).click()
  await expect(page).toHaveURL(new RegExp(`/knowledge/${id}$`))
})

test('categories fold, and stay folded; a search looks into them all the same, and chips say how many there are', async ({
  desk,
  consolePage: page
}) => {
  const word = `Quartz${Math.random().toString(36).slice(2, 8)}`
  const { id, category } = await anArticle(desk, `${word} clock`, `Clocks ${word}`)
  await desk.post(
    '/api/admin/kb/articles/update',
    { id, texts: { en: { markdown: `The ${word}spring.` } } },
    desk.admin
  )
  const texts = { en: { title: 'A draft', markdown: 'Not yet.' } }
  await desk.post('/api/admin/kb/articles/create', { category_id: category.id, texts }, desk.admin)
  await page.goto('/desk/knowledge')
  const head = page.getByRole('button', { name: category.name.en!, exact: true })
  const row = page.getByRole('link', { name: new RegExp(`${word} clock`) })
  await expect(row).toBeVisible()
  await head.press('Enter')
  await expect(head).toHaveAttribute('aria-expanded', 'false')
  await expect(row).toHaveCount(0)
  await page.reload()
  await expect(head).toHaveAttribute('aria-expanded', 'false')
  await page.getByRole('searchbox', { name: 'Search titles and texts' }).fill(`${word}spring`)
  await expect(row).toBeVisible()
  await expect(page.getByRole('button', { name: /^Drafts \d+$/ })).toBeVisible()
})

test('an article says how many of its readers it helped, what the others miss, and which tickets have it', async ({
  desk,
  client,
  consolePage: page
}) => {
  const { id } = await anArticle(desk, 'With readers')
  const ticket = await desk.ticket(client)
  const said = { article_id: id, locale: 'en', is_helpful: 0, comment: 'Which lever?' } as const
  await desk.post('/api/kb/feedback', said, client)
  await desk.post('/api/kb/feedback', { article_id: id, locale: 'en', is_helpful: 1 }, desk.admin)
  await desk.post('/api/admin/kb/tickets/solved-by', { ticket_id: ticket.ticket_id, article_id: id }, desk.admin)
  await page.goto(`/desk/knowledge/${id}`)
  await page.getByRole('button', { name: '1 of 2 found it helpful' }).click()
  await expect(page.getByRole('dialog', { name: 'What readers miss' })).toContainText('Which lever?')
  await expectAccessibleInEachWindow(page, 'what readers miss')
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'in one ticket' }).click()
  await page.getByRole('dialog').getByRole('link', { name: ticket.ticket_number }).click()
  await expect(page).toHaveURL(new RegExp(`/all/${ticket.ticket_number}$`))
})

test('axe finds no fault in the knowledge base, and nothing scrolls sideways', async ({ desk, consolePage: page }) => {
  const { id } = await anArticle(desk, 'Restart the inverter in the right order')
  for (const path of ['/knowledge', '/knowledge/new', `/knowledge/${id}`]) {
    await page.goto(`/desk${path}`)
    await expect(page.getByRole('heading', { level: 1 })).toHaveCount(1)
    await expect(page.locator('[aria-busy=true]')).toHaveCount(0)
    await expectAccessibleInEachWindow(page, path)
  }
  await page.getByRole('button', { name: 'Versions' }).click()
  await expectAccessibleInEachWindow(page, 'versions')
})

test.describe('who may only write', () => {
  test.use({ grants: ['tickets.reply'] })

  test('saves drafts, and is offered neither publishing nor categories', async ({ desk, consolePage: page }) => {
    const { id } = await anArticle(desk, 'For writers')
    await page.goto(`/desk/knowledge/${id}`)
    await expect(page.getByRole('button', { name: 'Save draft' })).toBeVisible()
    await expect(page.getByRole('button', { name: /Publish/ })).toHaveCount(0)
    await page.getByRole('button', { name: 'New', exact: true }).click()
    await expect(page.getByRole('menuitem')).toHaveText(['New article'])
    await expect(page.getByRole('button', { name: 'Who may read it' })).toBeDisabled()
  })
})

test('K4: an author without the right to publish asks for it, and who may publish is told', async ({
  desk,
  pageOf
}) => {
  const title = `Relay 22 ${Math.random().toString(36).slice(2, 8)}`
  const { category } = await anArticle(desk, title)
  const author = await desk.supporter(['tickets.reply'])
  const { article } = await desk.post(
    '/api/admin/kb/articles/create',
    { category_id: category.id, texts: { en: { title: `Draft of ${title}`, markdown: 'Press it.' } } },
    author
  )
  const own = await pageOf(author)
  await own.goto(`/desk/knowledge/${article.id}`)
  await expect(own.getByRole('button', { name: 'Publish', exact: true })).toHaveCount(0)
  await own.getByLabel('Text (Markdown)').fill('Press it twice.')
  await own.getByRole('button', { name: 'Ask for publishing' }).click()
  await expect(own.getByText('asks for this to be published.')).toBeVisible()
  await expect(own.getByRole('button', { name: 'Ask for publishing' })).toHaveCount(0)

  const page = await pageOf(desk.admin)
  await page.goto('/desk/admin')
  await expect(page.getByText(/waits? for publishing/)).toBeVisible()
  await page.goto(`/desk/knowledge/${article.id}`)
  await expect(page.getByText('asks for this to be published.')).toBeVisible()
  await expect(page.getByLabel('Text (Markdown)')).toHaveValue('Press it twice.')
  await page.getByRole('button', { name: 'Publish', exact: true }).click()
  await expect(page.getByText('asks for this to be published.')).toHaveCount(0)
})

/** Two categories with an article in the first, and what the tree is now: names of a level, and where the article lies. */
async function aTree(desk: Desk, name: string) {
  const { id, category } = await anArticle(desk, `Moved ${name}`, `First ${name}`)
  const make = async (named: string, parent_id: number | null = null) =>
    (
      await desk.post(
        '/api/admin/kb/categories/create',
        { name: { en: `${named} ${name}` }, audience: 'public', parent_id },
        desk.admin
      )
    ).category.id
  const second = await make('Second')
  const inner = await make('Inner', second)
  const tree = async () => {
    const { categories } = await desk.post('/api/admin/kb/categories/list', {}, desk.admin)
    const { article } = await desk.post('/api/admin/kb/articles/detail', { id }, desk.admin)
    const named = (parent: number | null) =>
      categories
        .filter(each => each.parent_id === parent && each.name.en!.endsWith(` ${name}`))
        .map(each => each.name.en!.split(' ')[0])
        .join()
    return { top: named(null), first: named(category.id), second: named(second), article: article.category_id }
  }
  return { id, first: category.id, second, inner, tree }
}

test('articles and categories are moved by keys: Space, arrows, Space; a move is undone, and Esc leaves everything', async ({
  desk,
  consolePage: page
}) => {
  const { id, first, second, tree } = await aTree(desk, 'keys')
  await page.goto(`/desk/knowledge/${id}`)
  const handle = (name: string) => page.getByRole('button', { name: `Move ${name}`, exact: true })
  const said = page.getByRole('status')
  await expect(page.getByText('Key:')).toContainText('Only staff')
  expect(await tree()).toEqual({ top: 'First,Second', first: '', second: 'Inner', article: first })

  await handle('Moved keys').press('Space')
  await page.keyboard.press('ArrowDown')
  await expect(said.filter({ hasText: 'Moved keys: in Second keys' })).toHaveCount(1)
  await page.keyboard.press('Escape')
  expect((await tree()).article).toBe(first)
  await handle('Moved keys').press('Space')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Space')
  await expect.poll(async () => (await tree()).article).toBe(second)
  await expect(handle('Moved keys')).toBeFocused()
  await page.getByLabel('Text (Markdown)').fill('Written after the move.')
  await page.getByRole('button', { name: 'Publish changes' }).click()
  await expect(page.getByText('Published,')).toBeVisible()
  // Otherwise it could be said later than what follows, in its place.
  await expect(said.filter({ hasText: 'Published.' })).toHaveCount(1)

  await handle('First keys').press('Space')
  await page.keyboard.press('End')
  await page.keyboard.press('ArrowUp')
  await expect(said.filter({ hasText: 'First keys: last in Second keys' })).toHaveCount(1)
  await page.keyboard.press('Space')
  await expect.poll(tree).toMatchObject({ top: 'Second', second: 'Inner,First' })
  await expect(handle('First keys')).toBeFocused()
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect.poll(tree).toMatchObject({ top: 'First,Second', second: 'Inner' })
  await page.getByRole('button', { name: 'Actions for Second keys' }).click()
  await page.getByRole('menuitem', { name: 'Move up' }).click()
  await expect.poll(tree).toMatchObject({ top: 'Second,First' })
  await expectAccessibleInEachWindow(page, 'the tree of articles')
})

test('articles and categories are dragged; what cannot be is told in a sentence and changes nothing, in German too', async ({
  desk,
  pageOf
}) => {
  const { id, first, second, inner, tree } = await aTree(desk, 'mouse')
  const page = await pageOf(desk.admin, { locale: 'de-DE' })
  await page.goto('/desk/knowledge')
  const handle = (name: string) => page.getByRole('button', { name: `${name} mouse verschieben`, exact: true })
  const rowOf = (category: number) => page.locator(`[data-category="${category}"] [data-head]`)
  async function drag(from: ReturnType<typeof handle>, to: ReturnType<typeof handle>, share = 0.5) {
    await from.scrollIntoViewIfNeeded()
    const [start, end] = [await from.boundingBox(), await to.boundingBox()]
    await page.mouse.move(start!.x + 8, start!.y + 10)
    await page.mouse.down()
    await page.mouse.move(end!.x + 60, end!.y + end!.height * share, { steps: 4 })
    await page.mouse.up()
  }

  await drag(handle('Moved'), rowOf(inner))
  await expect.poll(async () => (await tree()).article).toBe(inner)
  await drag(handle('Second'), rowOf(first), 0.1)
  await expect.poll(tree).toMatchObject({ top: 'Second,First' })
  await drag(handle('Second'), rowOf(inner))
  await expect(page.getByText(/keine liegt in sich selbst/)).toBeVisible()
  expect(await tree()).toMatchObject({ top: 'Second,First', second: 'Inner' })

  // Others have changed it meanwhile: the service refuses, and the tree is as it is there.
  await desk.post(
    '/api/admin/kb/categories/update',
    { id: first, name: { en: 'First mouse', de: 'Erste' } },
    desk.admin
  )
  await drag(handle('First'), rowOf(second), 0.1)
  await expect(page.getByText(/inzwischen|geändert/).last()).toBeVisible()
  expect(await tree()).toMatchObject({ top: 'Second,First' })
  await expect(page.getByRole('button', { name: 'Erste verschieben' })).toBeVisible()

  // Who sees it is asked before.
  await desk.post('/api/admin/kb/categories/update', { id: second, audience: 'staff' }, desk.admin)
  await desk.post('/api/admin/kb/articles/update', { id, category_id: first }, desk.admin)
  await page.reload()
  await drag(handle('Moved'), rowOf(second))
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByText('Einen Artikel sehen dann weniger Menschen.')).toBeVisible()
  await dialog.getByRole('button', { name: 'Liegen lassen' }).click()
  expect((await tree()).article).toBe(first)
  await drag(handle('Moved'), rowOf(second))
  await dialog.getByRole('button', { name: 'Hierher verschieben' }).click()
  await expect.poll(async () => (await tree()).article).toBe(second)
})
