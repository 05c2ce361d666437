/** The runtime warns of `text()` on a form's body, which is no `text/*`. */
export const bodyText = async (request: Request): Promise<string> =>
  new TextDecoder().decode(await request.arrayBuffer());
