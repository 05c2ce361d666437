/**
 * Copies a text that is still on its way. The clipboard is asked inside the click, which is when
 * browsers allow it.
 *
 * @throws what the text throws, or when the clipboard is closed
 */
export async function copyAsync(text: Promise<string>): Promise<void> {
  if (typeof ClipboardItem === 'undefined') return navigator.clipboard.writeText(await text);
  const blob = text.then((found) => new Blob([found], { type: 'text/plain' }));
  await navigator.clipboard.write([new ClipboardItem({ 'text/plain': blob })]);
}
