/** What an `img` shows for a picture that comes as SVG text or as a data URL already. */
export function pictureOf(picture: string): string {
  return picture.startsWith('data:')
    ? picture
    : `data:image/svg+xml,${encodeURIComponent(picture)}`;
}
