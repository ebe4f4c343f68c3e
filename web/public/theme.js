// Loaded before the first paint: a theme or a language that was chosen here shows without a flash of the other.
const theme = localStorage.getItem('deskline:theme')
if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme
