const unseen = 'position:fixed;clip-path:inset(50%)';

export function announce(text: string): void {
  let region = document.getElementById('announcer');
  if (!region) {
    // Its role is `status`.
    region = document.createElement('output');
    region.id = 'announcer';
    region.style.cssText = unseen;
    document.body.append(region);
  }
  region.textContent = text;
}
