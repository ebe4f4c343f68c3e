import type { Services } from '../../core/services.ts'
import type { DeskSettings } from '../../core/settings/registry.ts'
import type { Audience } from '../../core/tables/knowledge-base.ts'
import type { Html } from '../../kit/html.ts'
import type { Sight } from '../articles/visibility.ts'
import type { PageReader } from './reader-of-pages.ts'

/** What a page is made for. */
export interface PageContext {
  services: Services
  settings: DeskSettings
  /** The address of the logo, if the desk has one. */
  logo: string | null
  /** The language of the page. */
  locale: string
  reader: PageReader | undefined
  sight: Sight
  params: Readonly<Record<string, string>>
  query: Readonly<Record<string, string>>
}

/** A page as it is to be sent. */
export interface HelpPage {
  html: Html
  /** Whom it is for: what is for all is the same for all. */
  audience: Audience
}

/** The page is at another address. */
export interface MovedPage {
  to: string
}
