import AxeBuilder from '@axe-core/playwright'
import { listIn, queueOf } from '../support/queue.ts'
import { expect, test } from '../support/test.ts'

const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']

for (const colorScheme of ['light', 'dark'] as const) {
  for (const viewport of [
    { width: 1440, height: 900 },
    { width: 390, height: 844 }
  ]) {
    test(`axe finds nothing in the list of tickets, ${colorScheme}, ${viewport.width} wide`, async ({
      desk,
      client,
      pageOf
    }) => {
      const queue = await queueOf(desk, 'Axe')
      await queue.tickets(client, 'One', 'Two', 'Three')
      const page = await pageOf(desk.admin, { viewport, colorScheme })
      const problems = async (state: string) => {
        // An experiment of axe, which takes initials that are hidden for words.
        const axe = new AxeBuilder({ page }).withTags(tags).disableRules(['label-content-name-mismatch'])
        const { violations } = await axe.analyze()
        return violations.map(({ id, nodes }) => `${state}: ${id} ${nodes.map(({ target }) => target).join(', ')}`)
      }
      const found: string[] = []
      await page.goto(queue.path)
      await listIn(page).rows.first().waitFor()
      found.push(...(await problems('list')))

      await page.getByRole('button', { name: 'Filter', exact: true }).click()
      await page.getByRole('button', { name: 'Priority', exact: true }).click()
      await page.getByRole('option', { name: 'Low' }).waitFor()
      found.push(...(await problems('filters')))
      await page.keyboard.press('Escape')

      await listIn(page).rows.first().focus()
      await page.keyboard.press('x')
      await page.getByRole('toolbar').getByRole('button', { name: 'Assign' }).click()
      await page.getByRole('option', { name: 'Nobody' }).waitFor()
      found.push(...(await problems('selected')))
      await page.keyboard.press('Escape')
      await page.getByRole('toolbar').getByRole('button', { name: 'Trash' }).click()
      await page.getByRole('dialog').waitFor()
      found.push(...(await problems('asked')))

      await page.goto(`${queue.path}?priority=low`)
      await page.getByText('No tickets match these filters').waitFor()
      found.push(...(await problems('empty')))
      await page.goto('/desk/view-999999')
      await page.getByText('There is no such view').first().waitFor()
      found.push(...(await problems('missing')))
      expect(found).toEqual([])
    })
  }
}
