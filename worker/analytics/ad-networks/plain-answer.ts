/**
 * Whether an answer, which nobody reads after this, came to its end and is no page of somebody in
 * between. An empty one is plain.
 */
export async function isPlainResponse(response: Response): Promise<boolean> {
  const text = await response.text().catch(() => null);
  return text !== null && !text.trimStart().startsWith('<');
}
