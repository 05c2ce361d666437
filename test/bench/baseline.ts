/** Where the floor of a page stands. */
export const floorPath = (screen: string): string => `/fakes/floor/${screen}`;

/**
 * The same page as a static file: all that is seen, without script and without what scripts need;
 * its form leads to the next page as a link does.
 *
 * @param next the next page's path
 */
export function floorOf(html: string, next: string): string {
  return html
    .replace(/<script[^>]*><\/script>/g, '')
    .replaceAll(/(<x-island) [^>]*>/g, '$1>')
    .replace(
      /(<form [^>]*?)action="[^"]*" method="post"/,
      `$1action="${floorPath(next)}" method="get"`,
    );
}
