import { expect, test } from './support/test.ts'
import { expectWritten } from './support/written-text.ts'

test('the palette jumps to a ticket by its number or its words, runs actions of the page, and restores the focus', async ({
  desk,
  client,
  consolePage: page
}) => {
  const word = `zirconium${Date.now()}`
  const ticket = await desk.ticket(client, { subject: `About ${word}` })
  await page.goto('/desk/clients')
  const search = page.getByRole('searchbox', { name: 'Search the clients' })
  await search.focus()
  const palette = page.getByRole('dialog', { name: 'Search or jump' })

  // What is typed before the palette is there goes into it, not into the page.
  let arrive = () => {}
  const isTyped = new Promise<void>(resolve => {
    arrive = resolve
  })
  await page.route(/\/palette-[\w-]+\.js$/, async route => {
    await isTyped
    await route.continue()
  })
  await page.keyboard.press('Control+k')
  await page.keyboard.type(word)
  arrive()
  await expect(palette.getByRole('combobox')).toHaveValue(word)
  await expect(search).toHaveValue('')
  await expect(palette.getByRole('option', { name: `About ${word}` })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(palette).toBeHidden()
  await expect(search).toBeFocused()

  await page.keyboard.press('Control+k')
  await palette.getByRole('combobox').fill('>new tick')
  await expect(palette.getByRole('option')).toHaveCount(1)
  await page.keyboard.press('Escape')

  await page.keyboard.press('Control+k')
  await palette.getByRole('combobox').fill(ticket.ticket_number.slice(4))
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(new RegExp(`/desk/all/${ticket.ticket_number}`))

  // An empty one begins with the tickets that were opened last, but for the one that is open.
  const other = await desk.ticket(client, { subject: `Other than ${word}` })
  await expect(page.getByRole('heading', { level: 1, name: `About ${word}` })).toBeVisible()
  await page.goto(`/desk/all/${other.ticket_number}`)
  await expect(page.getByRole('heading', { level: 1, name: `Other than ${word}` })).toBeVisible()
  await page.keyboard.press('Control+k')
  await expect(palette.getByRole('option').first()).toContainText(`About ${word}`)
  await expect(palette.getByRole('option', { name: `Other than ${word}` })).toHaveCount(0)
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(new RegExp(`/desk/all/${ticket.ticket_number}`))
})

test('an empty palette begins with the tickets that were opened last, but the one that is open', async ({
  desk,
  client,
  consolePage: page
}) => {
  for (const subject of ['Opened first', 'Opened second', 'Still open']) {
    const { ticket_number } = await desk.ticket(client, { subject })
    await page.goto(`/desk/all/${ticket_number}`)
    await expect(page.getByRole('heading', { level: 1, name: subject })).toBeVisible()
  }

  await page.keyboard.press('Control+k')

  const options = page.getByRole('dialog', { name: 'Search or jump' }).getByRole('option')
  await expect(options.nth(0)).toContainText('Opened second')
  await expect(options.nth(1)).toContainText('Opened first')
  await expect(options.filter({ hasText: 'Still open' })).toHaveCount(0)
})

test('the search finds messages and notes, highlights the words, and opens a ticket beside the results', async ({
  desk,
  client,
  consolePage: page
}) => {
  const word = `ytterbium${Date.now()}`
  const ticket = await desk.ticket(client, { subject: 'No light', message: `The lamp of ${word} is out.` })
  await desk.post(
    '/api/admin/tickets/note',
    { id: ticket.ticket_id, note: `Ordered more ${word} <b>today</b>` },
    desk.admin
  )
  await page.goto('/desk/search')
  await page.getByRole('searchbox').fill(word)
  await expect(page.getByText('2 found, best first')).toBeVisible()
  await expect(page.locator('mark').first()).toHaveText(word)
  // Everything of a ticket is one group.
  await expect(page.getByRole('link', { name: /No light/ })).toHaveCount(1)
  const group = page.getByRole('listitem').filter({ has: page.getByRole('link', { name: /No light/ }) })
  await expect(group.getByRole('link')).toHaveCount(3)
  await expect(page.getByText('<b>today</b>')).toBeVisible()
  await page.getByRole('link', { name: /Note/ }).click()
  await expect(page).toHaveURL(new RegExp(`/desk/search/${ticket.ticket_number}\\?q=${word}`))
  await expect(page.getByRole('article').filter({ hasText: 'The lamp of' })).toBeVisible()

  await page.getByRole('searchbox').fill(`${word} nowhere`)
  await expect(page.getByText('Nothing matches all of these words')).toBeVisible()
  await page.getByRole('button', { name: word }).click()
  await expect(page.getByText('2 found, best first')).toBeVisible()
})

test('/ searches from anywhere but the composer, where it opens the macros', async ({
  desk,
  client,
  consolePage: page
}) => {
  const word = `thulium${Date.now()}`
  await desk.post('/api/admin/canned-replies/create', { title: 'Thanks', text: 'Thank you.' }, desk.admin)
  const { ticket_number } = await desk.ticket(client, { subject: `Where is ${word}` })
  await page.goto(`/desk/all/${ticket_number}`)
  const text = page.locator('[data-composer="reply"]')
  await expect(text).toBeVisible()
  await page.keyboard.press('/')
  const palette = page.getByRole('dialog', { name: 'Search or jump' })
  await page.keyboard.type(word)
  await expect(palette.getByRole('option', { name: `Where is ${word}` })).toBeVisible()
  await page.keyboard.press('Escape')

  await text.focus()
  await page.keyboard.press('/')
  await expect(page.getByRole('listbox', { name: 'Macros' })).toBeVisible()
  await expectWritten(text, '/')
  await expect(palette).toBeHidden()

  for (const [path, name] of [
    ['/desk/clients', 'Search the clients'],
    ['/desk/search?q=a', 'Search tickets, messages, notes and clients']
  ] as const) {
    await page.goto(path)
    await expect(page.getByRole('searchbox', { name })).toBeVisible()
    await page.getByRole('heading', { level: 1 }).focus()
    await page.keyboard.press('/')
    await expect(page.getByRole('searchbox', { name })).toBeFocused()
  }
})

test('the sheet of shortcuts lists those that work, and single keys can be switched off', async ({
  consolePage: page
}) => {
  await page.goto('/desk/clients')
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await page.keyboard.press('?')
  const sheet = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
  await expect(sheet.getByText('New ticket')).toBeVisible()
  await sheet.getByRole('switch', { name: 'Single keys' }).click()
  await page.keyboard.press('Escape')
  await page.keyboard.press('c')
  await page.keyboard.press('Control+k')
  await expect(page.getByRole('dialog')).toHaveCount(1)
  await expect(page.getByRole('dialog', { name: 'Search or jump' })).toBeVisible()
})
