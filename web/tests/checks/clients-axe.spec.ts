import { expectAccessible, windows } from '../support/axe.ts'
import { test } from '../support/test.ts'

for (const [name, viewport] of Object.entries(windows)) {
  test(`axe finds no fault in clients, search, palette and new ticket, ${name}`, async ({ desk, client, pageOf }) => {
    const word = `axe${name}`
    await desk.ticket(client, { subject: `Words of ${word}` })
    const page = await pageOf(desk.admin, { viewport })
    const look = (state: string) => expectAccessible(page, state)

    await page.goto('/desk/clients')
    await page.getByRole('link', { name: 'Katharina Brandt' }).first().waitFor()
    await look('clients')
    await page.getByRole('button', { name: 'Add client' }).click()
    await page.getByRole('button', { name: 'Add and invite' }).click()
    await look('add client')
    await page.keyboard.press('Escape')
    await page.goto('/desk/clients?q=nobody-is-called-that')
    await page.getByText('No client matches these words').waitFor()
    await look('nobody found')

    await page.goto(`/desk/clients/${client.id}`)
    await page.getByText(`Words of ${word}`).waitFor()
    await look('client')
    await page.getByRole('button', { name: 'Delete or anonymise …' }).click()
    await page.getByRole('dialog').waitFor()
    await look('remove')
    await page.keyboard.press('Escape')

    await page.keyboard.press('c')
    await page.getByRole('dialog').getByRole('combobox', { name: 'Client' }).fill('Katharina')
    await page.getByRole('option', { name: 'Katharina Brandt' }).first().waitFor()
    await look('new ticket')
    await page.keyboard.press('Escape')

    await page.goto(`/desk/search?q=${word}`)
    await page.getByText('found, best first').waitFor()
    await look('search')
    await page.keyboard.press('Control+k')
    await page.getByRole('dialog').getByRole('combobox').fill(word)
    await page.getByRole('option', { name: `Words of ${word}` }).waitFor()
    await look('palette')
    await page.keyboard.press('Escape')
    await page.goto('/desk/search?q=nothing-has-these words')
    await page.getByText('Nothing matches all of these words').waitFor()
    await look('nothing found')
    await page.keyboard.press('?')
    await page.getByRole('dialog').waitFor()
    await look('shortcuts')
  })
}
