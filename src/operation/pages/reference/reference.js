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
    plugins: [keepToken, everyOperation, pathsAsTyped, filteredWebhooks, resolvesWhatIsShown],
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

/** Of a long list Swagger UI renders what is in sight alone, where the browser's own search finds nothing else: we render it all. */
function everyOperation({ React }) {
  function Operations({ specSelectors, oas3Selectors, layoutSelectors, layoutActions, getComponent, getConfigs }) {
    const OperationContainer = getComponent('OperationContainer', true)
    const OperationTag = getComponent('OperationTag')
    const methods = specSelectors.validOperationMethods()
    const shared = { oas3Selectors, layoutSelectors, layoutActions, getConfigs, getComponent }
    const operationOf = (op, tag) => {
      const [path, method] = [op.get('path'), op.get('method')]
      if (!methods.includes(method)) return null
      const key = `${path}-${method}`
      return React.createElement(OperationContainer, { key, specPath: op.get('specPath'), op, path, method, tag })
    }
    const sectionOf = (tagObj, tag) =>
      React.createElement(
        OperationTag,
        { ...shared, key: tag, tagObj, tag, specUrl: specSelectors.url() },
        React.createElement(
          'div',
          { className: 'operation-tag-content' },
          tagObj
            .get('operations')
            .map(op => operationOf(op, tag))
            .toArray()
        )
      )
    return React.createElement('div', {}, specSelectors.taggedOperations().map(sectionOf).valueSeq().toArray())
  }
  return { components: { operations: Operations } }
}

/** Swagger UI puts an invisible space before each slash, so that paths can break: the browser's own search finds none of them then. */
function pathsAsTyped() {
  return {
    wrapComponents: {
      DeepLink:
        (Original, { React }) =>
        ({ text, ...props }) =>
          React.createElement(Original, {
            ...props,
            text: typeof text === 'string' ? text.replaceAll('\u200b', '') : text
          })
    }
  }
}

/** Webhooks are filtered as the operations are: by their name and what they say. */
function filteredWebhooks() {
  return {
    statePlugins: {
      spec: {
        wrapSelectors: {
          selectWebhooksOperations:
            (original, system) =>
            (state, ...given) => {
              const webhooks = original(state, ...given)
              const phrase = system.layoutSelectors.currentFilter()
              if (!webhooks || typeof phrase !== 'string') return webhooks
              const fits = ([name, operations]) =>
                [name, ...operations.map(({ operation }) => operation.get('summary') ?? '')].some(text =>
                  text.toLowerCase().includes(phrase.toLowerCase())
                )
              return Object.fromEntries(Object.entries(webhooks).filter(fits))
            }
        }
      }
    }
  }
}

/**
 * Swagger UI resolves the references of the whole description, for the ways to authorize as the page is loaded and again with each operation that is
 * opened: seconds in which the page stands still. It is given the part that is shown, with what that refers to.
 */
function resolvesWhatIsShown() {
  return {
    afterLoad() {
      const resolve = this.fn.resolveSubtree
      this.fn.resolveSubtree = (description, path, options) => resolve(partOf(description, path), path, options)
    }
  }
}

function partOf({ paths, webhooks, components, ...description }, [section, name]) {
  const whole = { paths, webhooks, components }
  const part = { ...description, [section]: { [name]: whole[section]?.[name] } }
  const open = [part]
  while (open.length > 0) {
    for (const [, kind, name] of JSON.stringify(open.pop()).matchAll(/"#\/components\/(\w+)\/([^"/]+)"/g)) {
      part.components ??= {}
      part.components[kind] ??= {}
      if (name in part.components[kind] || !components[kind]?.[name]) continue
      part.components[kind][name] = components[kind][name]
      open.push(components[kind][name])
    }
  }
  return part
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
