/** Hands a file to the user. */
export function download(name: string, content: Blob): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(content);
  link.download = name;
  document.body.append(link);
  link.click();
  link.remove();
  // The browser takes the file over after the click; a minute is plenty for it to begin.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
