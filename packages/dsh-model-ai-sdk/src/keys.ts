/** [pure] Keys in texts that go into logs: some servers repeat the key that they refuse. */

/**
 * Puts `[key]` in the place of each of `secrets` and of what looks like a key; with `strict`, also of any long word that
 * looks random.
 */
export function withoutKeys(text: string, strict: boolean, secrets: readonly string[] = []): string {
  const plain = secrets
    .reduce((rest, secret) => (secret === '' ? rest : rest.replaceAll(secret, '[key]')), text)
    .replace(/\b(Bearer|Basic)\s+[^\s"',;}]+/gi, '$1 [key]')
    .replace(/\b(?:(?:sk|rk|pk|gsk|xai|key|api)[-_]|AIza)[\w-]{12,}/g, (word) =>
      /\d/.test(word) ? '[key]' : word,
    );
  return strict ? plain.replace(/[\w-]{16,}/g, (word) => (looksRandom(word) ? '[key]' : word)) : plain;
}

/** Ids of requests look so as well, and help to find a failure. */
function looksRandom(word: string): boolean {
  if (/^req[-_]/.test(word)) return false;
  return /^[0-9a-f]{32,}$/i.test(word) || [/\d/, /[a-z]/, /[A-Z]/].every((kind) => kind.test(word));
}
