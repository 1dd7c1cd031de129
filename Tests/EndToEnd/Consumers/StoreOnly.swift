import AccountStorage

// A server that keeps accounts and has no use for Foundation.
let store = try await AccountStore(path: "store-only.sqlite")
try await store.save(Account(uid: 1_404_376_560, accessToken: "2.00…", expiresIn: 157_679_999))
for try await account in store.accounts() { print(account.uid, account.expiresIn) }
try await store.close()
