/** The phone number in a thread's address; what cannot be decoded is no phone number either way. */
export function decodePath(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
