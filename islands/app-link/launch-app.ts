const timeoutMs = 1500;

export function launchApp(scheme: string, code: string, store: string): void {
  location.href = `${scheme}://d#${code}`;
  setTimeout(() => {
    if (store && document.visibilityState === 'visible') location.href = store;
  }, timeoutMs);
}
