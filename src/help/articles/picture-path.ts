/** The stable address of a picture of an article (K6, K11). Group: its name. */
export const picturePath = /^\/help\/files\/([0-9a-f]{32}\.(?:png|jpg|webp|gif))$/
