import AxeBuilder from '@axe-core/playwright'
import { expect, test } from '../support/test.ts'

const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']

for (const colorScheme of ['light', 'dark'] as const) {
  for (const viewport of [
    { width: 1440, height: 900 },
    { width: 390, height: 844 }
  ]) {
    test(`axe finds nothing in clients, search, palette and new ticket, ${colorScheme}, ${viewport.width} wide`, async ({
      desk,
      client,
      pageOf
    }) => {
      const word = `axe${colorScheme}${viewport.width}`
      await desk.ticket(client, { subject: `Words of ${word}` })
      const page = await pageOf(desk.admin, { viewport, colorScheme })
      const found: string[] = []
      const look = async (state: string) => {
        // An experiment of axe, which takes initials that are hidden for words.
        const axe = new AxeBuilder({ page }).withTags(tags).disableRules(['label-content-name-mismatch'])
        const { violations } = await axe.analyze()
        found.push(
          ...violations.map(({ id, nodes }) => `${state}: ${id} ${nodes.map(({ target }) => target).join(', ')}`)
        )
      }

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
      expect(found).toEqual([])
    })
  }
}
