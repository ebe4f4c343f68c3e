import type { DeskSettings } from '../../core/settings/registry.ts'

/** Pages of the frame may be shown by the origins that an admin allows, and by no other page. */
export function frameHeaders({ widget_origins }: Pick<DeskSettings, 'widget_origins'>): Record<string, string> {
  const ancestors = widget_origins.length > 0 ? widget_origins.join(' ') : "'none'"
  return {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': `default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors ${ancestors}`,
    // For pages that load only what allows it (Cross-Origin-Embedder-Policy).
    'cross-origin-resource-policy': 'cross-origin',
    'cross-origin-embedder-policy': 'require-corp'
  }
}
