import { BlockList, isIP } from 'node:net'
import { networkInterfaces } from 'node:os'

/**
 * Ranges of IPv4 that are not of the public internet, by the registry of special addresses; and the one address beyond it
 * at which a cloud (Azure) serves its machines their own settings.
 */
const special4 = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
  ['168.63.129.16', 32],
] as const

/** Within what IPv6 has given out, what is not public or stands for an address of IPv4. */
const special6 = [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
] as const

const refused4 = new BlockList()
for (const [address, bits] of special4) refused4.addSubnet(address, bits, 'ipv4')
const refused6 = new BlockList()
for (const [address, bits] of special6) refused6.addSubnet(address, bits, 'ipv6')
/** Everything else is local, of one site, for groups, mapped, or not given out. */
const given6 = new BlockList()
given6.addSubnet('2000::', 3, 'ipv6')
/** Networks without IPv4 reach its addresses through this prefix. */
const translated = new BlockList()
translated.addSubnet('64:ff9b::', 96, 'ipv6')

/** Whether an address is one of the public internet, and not one of this machine. Anything but an address is not. */
export function isPublic(address: string): boolean {
  switch (isIP(address)) {
    case 4:
      return !refused4.check(address, 'ipv4') && !isOfThisMachine(address)
    case 6: {
      // The scope of an address is only given to those of one link.
      if (address.includes('%')) return false
      if (translated.check(address, 'ipv6')) return isPublic(lastFour(address))
      const isGiven = given6.check(address, 'ipv6') && !refused6.check(address, 'ipv6')
      return isGiven && !isOfThisMachine(address)
    }
    default:
      return false
  }
}

function isOfThisMachine(address: string): boolean {
  const own = Object.values(networkInterfaces()).flatMap((all) => (all ?? []).map((each) => each.address))
  return own.some((each) => isIP(each) === isIP(address) && isSame(each, address))
}

function isSame(one: string, other: string): boolean {
  const list = new BlockList()
  list.addAddress(one, isIP(one) === 4 ? 'ipv4' : 'ipv6')
  return list.check(other, isIP(other) === 4 ? 'ipv4' : 'ipv6')
}

/** The address of IPv4 in the last four bytes of one of IPv6. */
function lastFour(address: string): string {
  const [, dotted] = /:(\d+\.\d+\.\d+\.\d+)$/.exec(address) ?? []
  if (dotted !== undefined) return dotted
  const [head = '', tail = ''] = address.split('::')
  const groups = (part: string) => (part === '' ? [] : part.split(':'))
  const [front, back] = [groups(head), groups(tail)]
  const zeros = Array.from({ length: Math.max(0, 8 - front.length - back.length) }, () => '0')
  const [one = 0, two = 0] = [...front, ...zeros, ...back].slice(-2).map((group) => Number.parseInt(group, 16))
  return [one >> 8, one & 255, two >> 8, two & 255].join('.')
}
