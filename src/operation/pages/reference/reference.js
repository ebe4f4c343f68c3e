// Shows the API description, which is served beside this page, in Swagger UI.
const tokenKey = 'deskline-reference-token'
const dark = matchMedia('(prefers-color-scheme: dark)')

dark.addEventListener('change', followTheme)
followTheme()
show()

function followTheme() {
  document.documentElement.classList.toggle('dark-mode', dark.matches)
}

async function show() {
  // The page is /docs or /docs/, so the description is relative to the URL without `docs`.
  const answer = await fetch(location.pathname.replace(/\/docs\/?$/, '/openapi.json'))
  const ui = window.SwaggerUIBundle({
    dom_id: '#swagger-ui',
    spec: folded(await answer.json()),
    presets: [window.SwaggerUIBundle.presets.apis],
    plugins: [keepToken],
    layout: 'BaseLayout',
    deepLinking: true,
    docExpansion: 'list',
    defaultModelsExpandDepth: -1,
    displayRequestDuration: true,
    filter: true,
    validatorUrl: null
  })
  const token = sessionStorage.getItem(tokenKey)
  if (token) ui.preauthorizeApiKey('bearer', token)
}

/** Lists every operation once, by its own path with its aliases; requests go to the server of this page. */
function folded(description) {
  description.servers = [{ url: new URL(description.servers[0].url, location.href).pathname }]
  const aliases = {}
  for (const [path, operations] of Object.entries(description.paths)) {
    const stands = operations.post?.['x-alias-of']
    if (!stands) continue
    for (const own of stands) aliases[own] = [...(aliases[own] ?? []), path]
    if (operations.get) delete operations.post
    else delete description.paths[path]
  }
  for (const [path, others] of Object.entries(aliases)) {
    const operation = description.paths[path]?.post
    if (operation) operation.description += `\n\nAlso at ${others.map(other => `\`${other}\``).join(', ')}.`
  }
  return description
}

/** The bearer token survives a reload, and is lost with the tab. */
function keepToken() {
  return {
    statePlugins: {
      auth: {
        wrapActions: {
          authorize: authorize => given => {
            if (given.bearer?.value) sessionStorage.setItem(tokenKey, given.bearer.value)
            return authorize(given)
          },
          logout: logout => names => {
            sessionStorage.removeItem(tokenKey)
            return logout(names)
          }
        }
      }
    }
  }
}
