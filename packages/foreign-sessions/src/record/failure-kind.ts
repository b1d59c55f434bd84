/** What kind of failure an HTTP status tells of, in the words of `model.failed`. */
export function failureKind(status: number | undefined): string {
  switch (status) {
    case 400:
      return 'bad_request'
    case 401:
    case 403:
      return 'auth'
    case 429:
      return 'rate_limited'
    case 503:
    case 529:
      return 'overloaded'
    default:
      return 'other'
  }
}
