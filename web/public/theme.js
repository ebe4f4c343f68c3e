// Loaded before the first paint: a theme that was chosen here shows without a flash of the other, and the skeleton is that of the page that comes.
const theme = localStorage.getItem('deskline:theme')
if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme
if (/\/(sign-in|sign-up|forgot|reset|second-factor)$/.test(location.pathname))
  document.documentElement.dataset.start = 'form'
