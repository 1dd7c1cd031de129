print("accounts")
